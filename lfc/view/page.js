"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const KEYWORDS = new Set(("AFTER AND ARRAY ASSERT BEGIN BY CASE CHOICE CONST CREATE DIV DO ELSE ELSIF END ENVIRONMENT EXIT EXTERNAL FALSE FOR " +
  "IF IMPORT IN LOOP MAX MOD MODULE NEW NEXT NOT OF OR PORT PROCEDURE PROCESS PROPERTY RECORD REPEAT RESCHEDULE RETURN SELECT SERVER " +
  "THEN TO TRUE TYPE UNTIL VAR WHEN WHILE ALWAYS EVENTUALLY IMPLIES INITIAL ENDED").split(" "));
let run = data.runs[0], step = 0, folded = true, shownFile = 0, timer = 0, states = [], columns = [], columnAt = new Map(), rowAt = [];

function make(name, attributes, ...inside) {
  const e = document.createElementNS(SVG, name);
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  for (const x of inside) e.append(x);
  return e;
}
function element(name, className, ...inside) {
  const e = document.createElement(name);
  if (className) e.className = className;
  e.append(...inside);
  return e;
}
const cut = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + "\u2026");
const foldOf = new Map();
for (const [label, names] of Object.entries(data.picture.folds)) for (const n of names) foldOf.set(n, label);
const hasFolds = foldOf.size > 0;
const shown = (name) => (folded && foldOf.get(name)) || name;

// --- the states of a run -----------------------------------------------------------------------------------------

function applied(before, changes) {
  const found = { ...before };
  for (const [name, x] of Object.entries(changes || {})) if (x === null) delete found[name]; else found[name] = x;
  return found;
}
function statesOf(r) {
  const found = [{ values: r.values, at: r.at, changed: {} }];
  for (const s of r.steps) {
    const last = found[found.length - 1];
    found.push({ values: applied(last.values, s.set), at: applied(last.at, s.move), changed: s.set || {}, was: last.values });
  }
  return found;
}

// --- the head ----------------------------------------------------------------------------------------------------

function showHead() {
  $("title").textContent = run.title;
  $("title").className = run.kind ? "bad" : "";
  const where = run.place ? `${data.sources[run.place[0]].name}:${run.place[1]}. ` : "";
  $("place").textContent = `${where}${data.file}${data.verdict[0] === run.title ? "" : `: ${data.verdict.join(". ")}`}`;
  const said = $("said");
  said.replaceChildren();
  if (run.circle.length) {
    const list = element("ol", "circle");
    const lines = run.circle.map(([who, whose, what]) => `${who} waits for ${whose} ${what}`);
    const some = lines.length > 7 ? [...lines.slice(0, 4), `\u2026 and so on, ${lines.length - 6} more \u2026`, ...lines.slice(-2)] : lines;
    for (const line of some) list.append(element("li", "", line));
    said.append(element("p", "", "They wait in a circle:"), list);
  }
  if (run.said.length) {
    const list = element("ul", "");
    for (const line of run.said) list.append(element("li", "", line));
    said.append(run.said.length > 3 ? element("details", "", element("summary", "", "Where they wait"), list) : list);
  }
  if (run.leftOut) said.append(element("p", "", `The first ${run.leftOut} steps are left out.`));
  $("fold").hidden = !hasFolds;
  $("fold").textContent = folded ? `Show all ${data.picture.nodes.length} processes` : "Show those that matter";
}

// --- the picture -------------------------------------------------------------------------------------------------

const BOX = { w: 118, h: 38 };
function drawPicture() {
  const svg = $("picture"), places = (folded && data.picture.foldedPlaces) || data.picture.places;
  svg.replaceChildren();
  const names = Object.keys(places);
  if (!names.length) { $("picture-part").hidden = true; return; }
  const xs = names.map((n) => places[n][0]), ys = names.map((n) => places[n][1]);
  const w = Math.max(...xs) + BOX.w + 60, h = Math.max(...ys) + BOX.h + 60;
  svg.setAttribute("viewBox", `${-BOX.w / 2 - 30} ${-BOX.h / 2 - 30} ${w} ${h}`);
  svg.append(make("defs", {}, head("tip", "var(--soft)"), head("tip-live", "var(--accent)"), head("tip-bad", "var(--bad)")));
  const wires = make("g"), nodes = make("g"), drawn = new Map();
  svg.append(wires, nodes);
  for (const c of data.picture.channels) {
    const users = [...new Set([...Object.keys(c.sends), ...Object.keys(c.receives)].map(shown))].filter((u) => places[u]);
    if (users.length === 2) wire(wires, drawn, places, c, users[0], users[1]);
    else if (users.length > 2) hub(wires, drawn, places, c, users);
  }
  const seen = new Set();
  for (const n of data.picture.nodes) {
    const name = shown(n.name);
    if (seen.has(name) || !places[name]) continue;
    seen.add(name);
    const isFold = name !== n.name, [x, y] = places[name];
    const g = make("g", { class: `node${n.server ? " server" : ""}${isFold ? " fold" : ""}`, transform: `translate(${x},${y})` });
    g.dataset.name = name;
    if (isFold) g.append(make("rect", { x: -BOX.w / 2 + 5, y: -BOX.h / 2 - 5, width: BOX.w, height: BOX.h, rx: 5 }));
    g.append(make("rect", { x: -BOX.w / 2, y: -BOX.h / 2, width: BOX.w, height: BOX.h, rx: n.server ? 14 : 4 }));
    g.append(make("text", { "text-anchor": "middle", y: -2 }, cut(name, 18)));
    g.append(make("text", { "text-anchor": "middle", y: 12, class: "place" }));
    g.append(make("title", {}, isFold ? data.picture.folds[name].join(", ") : name));
    if (isFold) g.addEventListener("click", toggleFold);
    nodes.append(g);
  }
}
function head(id, color) {
  return make("marker", { id, viewBox: "0 0 10 10", refX: 10, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
    make("path", { d: "M0 0L10 5L0 10z", fill: color, stroke: "none" }));
}
function edgeOf(from, to) {
  const dx = to[0] - from[0], dy = to[1] - from[1];
  const scale = Math.min(Math.abs(dx) < 1e-6 ? 1e9 : (BOX.w / 2 + 3) / Math.abs(dx), Math.abs(dy) < 1e-6 ? 1e9 : (BOX.h / 2 + 3) / Math.abs(dy));
  return [from[0] + dx * scale, from[1] + dy * scale];
}
function some(of, user) {
  return Object.keys(of).filter((p) => shown(p) === user).flatMap((p) => of[p]);
}
function wire(into, drawn, places, c, a, b) {
  const key = [a, b].sort().join("\n"), before = drawn.get(key) || [], n = before.length;
  if (n && (data.picture.folds[a] || data.picture.folds[b])) { addChannel(before[0], c); return; }
  const p = edgeOf(places[a], places[b]), q = edgeOf(places[b], places[a]);
  const g = make("g"), bend = n * 44, length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
  const mx = (p[0] + q[0]) / 2 - (q[1] - p[1]) / length * bend, my = (p[1] + q[1]) / 2 + (q[0] - p[0]) / length * bend;
  const path = make("path", { class: "wire", d: `M${p[0]} ${p[1]}Q${mx} ${my} ${q[0]} ${q[1]}` });
  if (some(c.sends, a).length && some(c.receives, b).length) path.setAttribute("marker-end", "url(#tip)");
  if (some(c.sends, b).length && some(c.receives, a).length) path.setAttribute("marker-start", "url(#tip)");
  path.dataset.ends = JSON.stringify([a, b]);
  path.dataset.channels = String(c.number);
  const messages = [...new Set([...some(c.sends, a), ...some(c.sends, b)])].join(", ");
  const label = make("text", { class: "name halo", x: (p[0] + q[0] + 2 * mx) / 4, y: (p[1] + q[1] + 2 * my) / 4 + 4, "text-anchor": "middle" }, n < 3 ? cut(c.name, 16) : "");
  drawn.set(key, [...before, g]);
  g.append(path, label, make("title", {}, `${c.name}: ${messages}`));
  into.append(g);
}
function addChannel(g, c) {
  const path = g.querySelector("path");
  path.dataset.channels += ` ${c.number}`;
  g.querySelector("text").textContent = `${path.dataset.channels.split(" ").length} channels`;
}
function hub(into, drawn, places, c, users) {
  const x = users.reduce((s, u) => s + places[u][0], 0) / users.length, y = users.reduce((s, u) => s + places[u][1], 0) / users.length;
  const at = freeOf([x, y], places, drawn);
  for (const u of users) {
    const p = edgeOf(places[u], at);
    const path = make("path", { class: "wire", d: `M${p[0]} ${p[1]}L${at[0]} ${at[1]}` });
    path.dataset.hub = u;
    path.dataset.channels = String(c.number);
    if (some(c.receives, u).length) path.setAttribute("marker-start", "url(#tip)");
    into.append(path);
  }
  into.append(make("circle", { class: "hub", cx: at[0], cy: at[1], r: 6 }), make("title", {}, c.name),
    make("text", { class: "name halo", x: at[0], y: at[1] - 10, "text-anchor": "middle" }, cut(c.name, 18)));
}
function freeOf(at, places, drawn) {
  const taken = drawn.get("hubs") || [];
  let [x, y] = at;
  for (let i = 0; i < 40; i++) {
    const onBox = Object.values(places).some(([u, v]) => Math.abs(u - x) < BOX.w / 2 + 12 && Math.abs(v - y) < BOX.h / 2 + 16);
    if (!onBox && !taken.some(([u, v]) => Math.hypot(u - x, v - y) < 34)) break;
    x = at[0] + 12 * (i + 1) * Math.cos(2.4 * i) / 2;
    y = at[1] + 12 * (i + 1) * Math.sin(2.4 * i) / 2;
  }
  drawn.set("hubs", [...taken, [x, y]]);
  return [x, y];
}
function showPicture() {
  const state = states[step], s = step ? run.steps[step - 1] : null;
  const acting = new Set(s ? [shown(s.who)] : []), pairs = [], hubs = new Map();
  for (const [kind, a, b] of s ? s.rows : []) if (kind === ">") { pairs.push([shown(a), shown(b)]); hubs.set(shown(a), shown(b)); hubs.set(shown(b), shown(a)); acting.add(shown(b)); }
  const atEnd = step === run.steps.length, stuck = atEnd ? run.circle.map(([a, b, , c]) => [shown(a), shown(b), c]) : [];
  for (const g of $("picture").querySelectorAll(".node")) {
    const name = g.dataset.name, behind = data.picture.folds[name] && folded ? data.picture.folds[name] : [name];
    const at = behind.map((n) => state.at[n]).filter(Boolean), waiting = at.filter((p) => p[2]).length;
    g.classList.toggle("acts", acting.has(name));
    g.classList.toggle("waits", at.length > 0 && waiting === at.length && !acting.has(name));
    g.classList.toggle("gone", at.length === 0);
    const where = behind.length > 1 ? (at.length ? `${waiting} of ${behind.length} wait` : "") : at.length ? (at[0][2] ? cut(at[0][2], 17) : `line ${at[0][1]}`) : "";
    g.querySelector(".place").textContent = where;
  }
  const same = (x, a, b, of) => x.some(([p, q, c]) => ((p === a && q === b) || (p === b && q === a)) && (c === undefined || c === null || of.includes(String(c))));
  for (const p of $("picture").querySelectorAll(".wire")) {
    let live = false, bad = false;
    const of = p.dataset.channels.split(" ");
    if (p.dataset.ends) { const [a, b] = JSON.parse(p.dataset.ends); live = same(pairs, a, b, of); bad = same(stuck, a, b, of); }
    else {
      live = hubs.has(p.dataset.hub) && usersOf(of[0]).has(hubs.get(p.dataset.hub));
      bad = stuck.some(([a, b, c]) => (a === p.dataset.hub || b === p.dataset.hub) && of.includes(String(c)));
    }
    p.classList.toggle("live", live);
    p.classList.toggle("stuck", bad);
  }
}
const known = new Map();
function usersOf(number) {
  if (!known.has(number)) known.set(number, new Set());
  const c = data.picture.channels.find((x) => String(x.number) === number);
  for (const u of c ? [...Object.keys(c.sends), ...Object.keys(c.receives)] : []) known.get(number).add(shown(u));
  return known.get(number);
}

// --- the text ----------------------------------------------------------------------------------------------------

function drawText() {
  const into = $("text");
  into.replaceChildren();
  let inComment = 0;
  data.sources[shownFile].lines.forEach((line, i) => {
    const code = element("span", "code"), e = element("div", "line", element("span", "n", String(i + 1)), code);
    e.dataset.line = i + 1;
    for (const part of line.split(/(\(\*|\*\)|\b[A-Z]+\b)/)) {
      if (part === "(*") inComment++;
      const name = inComment ? "cm" : KEYWORDS.has(part) ? "kw" : "";
      if (part) code.append(name ? element("span", name, part) : part);
      if (part === "*)") inComment = Math.max(0, inComment - 1);
    }
    into.append(e);
  });
}
function showText() {
  const state = states[step], s = step ? run.steps[step - 1] : null;
  const from = s && s.from, wanted = from ? from[0] : shownFile;
  if (wanted !== shownFile) { shownFile = wanted; $("file").value = String(shownFile); drawText(); }
  const here = new Map();
  for (const [name, [file, line]] of Object.entries(state.at)) if (file === shownFile) here.set(line, [...(here.get(line) || []), name]);
  for (const e of $("text").children) {
    const line = Number(e.dataset.line), who = here.get(line), acts = Boolean(from) && from[0] === shownFile && from[1] === line;
    e.classList.toggle("acts", acts);
    e.classList.toggle("here", Boolean(who) && !acts);
    e.querySelector(".who")?.remove();
    if (who) e.append(element("span", "who", cut(who.length > 3 ? `${who.slice(0, 2).join(", ")} and ${who.length - 2} others` : who.join(", "), 60)));
    if (acts) center($("text"), e.offsetTop - $("text").offsetTop, e.offsetHeight);
  }
}
function center(box, top, height) {
  if (top < box.scrollTop + 30 || top + height > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 2;
}

// --- the variables -----------------------------------------------------------------------------------------------

function showValues() {
  const state = states[step], into = $("values");
  into.replaceChildren();
  const hidden = (name) => folded && foldOf.has(name.split(".")[0]) && !(name in state.changed);
  const names = Object.keys(state.values).filter((n) => !hidden(n)).sort((a, b) => (b in state.changed) - (a in state.changed));
  for (const name of names) {
    const now = state.values[name], changed = name in state.changed, was = changed && state.was ? state.was[name] : undefined;
    const row = element("tr", changed ? "changed" : "", element("td", "n", name), element("td", "v", String(now)));
    if (changed) row.append(element("td", "was", was === undefined ? "new" : `was ${was}`));
    into.append(row);
  }
  const left = Object.keys(state.values).length - names.length;
  if (left) into.append(element("tr", "", element("td", "n", `and ${left} of processes that are folded`)));
}

// --- the chart ---------------------------------------------------------------------------------------------------

const ROW = 24, LEFT = 52;
function rowsOf() {
  const rows = [];
  let hidden = null;
  run.steps.forEach((s, i) => {
    if (run.cycle === i) { hidden = null; rows.push({ step: i + 1, mark: "this part repeats for ever" }); }
    const here = (s.rows.length ? s.rows : [[".", s.who, s.deed]]).map(([k, a, b, m]) => (k === ">" ? [k, shown(a), shown(b), m] : [k, shown(a), b]));
    const isHidden = folded && here.every(([k, a, b]) => data.picture.folds[a] && (k === "." || data.picture.folds[b]));
    if (isHidden && hidden) { hidden.until = i + 1; return; }
    if (isHidden) { hidden = { step: i + 1, until: i + 1, folded: true }; rows.push(hidden); return; }
    hidden = null;
    here.forEach((row, n) => { if (!(folded && row[0] === ">" && row[1] === row[2])) rows.push({ step: i + 1, row, first: n === 0 }); });
    if (s.note) rows.push({ step: i + 1, note: s.note });
  });
  if (run.cycle === run.steps.length) rows.push({ step: run.steps.length, mark: "the program stays in this state for ever" });
  return rows;
}
function drawChart() {
  columns = [...new Set(run.columns.map(shown))];
  const rows = rowsOf(), room = $("scroll").clientWidth - LEFT - 150;
  const gap = Math.max(94, Math.min(180, room / Math.max(1, columns.length)));
  const x = columnAt = new Map(columns.map((c, i) => [c, LEFT + gap / 2 + i * gap]));
  const width = LEFT + gap * columns.length + 140, height = rows.length * ROW + 14;
  const heads = $("heads"), chart = $("chart");
  for (const svg of [heads, chart]) { svg.replaceChildren(); svg.setAttribute("width", width); }
  heads.setAttribute("height", 32);
  chart.setAttribute("height", height);
  heads.setAttribute("viewBox", `0 0 ${width} 32`);
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  for (const c of columns) heads.append(make("g", { class: "head" }, make("rect", { x: x.get(c) - gap / 2 + 4, y: 4, width: gap - 8, height: 22, rx: 4 }),
    make("text", { x: x.get(c), y: 19, "text-anchor": "middle" }, cut(c, Math.floor(gap / 6))), make("title", {}, c)));
  for (const t of heads.querySelectorAll("text")) if (t.getComputedTextLength() > gap - 14) {
    t.setAttribute("textLength", gap - 14);
    t.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  chart.append(make("defs", {}, head("arrow", "var(--fg)"), head("again", "var(--bad)")));
  for (const c of columns) chart.append(make("line", { class: "life", x1: x.get(c), x2: x.get(c), y1: 0, y2: height }));
  rowAt = [];
  const spanOfCycle = [null, null];
  rows.forEach((r, i) => {
    const y = i * ROW + ROW / 2 + 4, g = make("g", { class: r.mark ? "mark" : "row" });
    g.dataset.step = r.step; g.dataset.until = r.until || r.step;
    if (r.mark) {
      g.append(make("line", { class: "stays", x1: LEFT + 14 + 6.8 * r.mark.length, x2: width - 8, y1: y, y2: y }), make("text", { class: "bad halo stays", x: LEFT, y: y + 4 }, r.mark));
      spanOfCycle[0] = y;
    } else {
      g.append(make("rect", { class: "hit", x: 0, y: y - ROW / 2, width, height: ROW }));
      g.addEventListener("click", () => goTo(r.until || r.step));
      if (r.folded) g.append(make("text", { class: "soft halo stays", x: LEFT + 8, y: y + 4 }, `\u22ee  to step ${r.until + run.leftOut}: only processes that are folded`));
      else if (r.note) g.append(make("text", { class: "bad halo stays", x: LEFT + 8, y: y + 4 }, cut(`property: ${r.note}`, 110)));
      else drawRow(g, r.row, x, y, width);
      g.append(make("rect", { class: "gutter stays", x: 0, y: y - ROW / 2, width: LEFT - 4, height: ROW }));
      if (r.first || r.folded) g.append(make("text", { class: "soft halo stays", x: 8, y: y + 4 }, String(r.step + run.leftOut)));
      if (!rowAt[r.until || r.step]) rowAt[r.until || r.step] = y;
      spanOfCycle[1] = y;
    }
    chart.append(g);
  });
  if (spanOfCycle[0] !== null && run.cycle < run.steps.length) chart.append(make("path", { class: "cycle", "marker-end": "url(#again)",
    d: `M46 ${spanOfCycle[1]}h-8V${spanOfCycle[0] + 6}h8` }));
}
function drawRow(g, row, x, y, width) {
  if (row[0] === ">") {
    const a = x.get(row[1]), b = x.get(row[2]), gap = b > a ? -1 : 1;
    g.append(make("line", { x1: a, x2: b + gap, y1: y, y2: y, "marker-end": "url(#arrow)" }));
    g.append(make("text", { class: "halo", x: (a + b) / 2, y: y - 4, "text-anchor": "middle" }, cut(row[3], Math.max(10, Math.floor(Math.abs(b - a) / 7)))));
  } else {
    const at = x.get(row[1]) ?? LEFT;
    g.append(make("circle", { cx: at, cy: y, r: 3.5 }));
    g.append(make("text", { class: "halo", x: at + 8, y: y + 4 }, cut(row[2], Math.max(20, Math.floor((width - at) / 6.6)))), make("title", {}, row[2]));
  }
}
function showChart() {
  for (const g of $("chart").querySelectorAll(".row")) {
    const from = Number(g.dataset.step), until = Number(g.dataset.until);
    g.classList.toggle("current", from <= step && step <= until);
    g.classList.toggle("later", from > step);
  }
  const y = rowAt[step], box = $("scroll");
  if (y !== undefined) center(box, y, ROW);
  const x = step ? columnAt.get(shown(run.steps[step - 1].who)) : undefined;
  if (x !== undefined && x < box.scrollLeft + 2 * LEFT) box.scrollLeft = x - 2 * LEFT;
  else if (x !== undefined && x > box.scrollLeft + box.clientWidth - 130) box.scrollLeft = x - Math.max(box.clientWidth - 130, 2 * LEFT);
  pin();
}
function pin(left = $("scroll").scrollLeft) { // numbers and notes stay at the left edge, however wide the chart is
  for (const e of $("chart").querySelectorAll(".stays, .cycle")) e.setAttribute("transform", `translate(${left} 0)`);
}

// --- the second track --------------------------------------------------------------------------------------------

function drawOther() {
  const other = run.other;
  $("other-part").hidden = !other;
  document.querySelector("main").classList.toggle("two-tracks", Boolean(other));
  if (!other) return;
  $("other-title").textContent = other.differs === null ? `${other.name}: the same in every step` : `${other.name}: the first difference is in step ${other.differs}`;
  const into = $("other");
  into.replaceChildren();
  const count = Math.max(other.steps.length, other.differs === null ? 0 : other.differs - run.leftOut);
  for (let i = 0; i < count; i++) {
    const number = i + 1 + run.leftOut, e = element("div", "", `${number}  ${other.steps[i] || "the trace has ended"}`);
    if (number === other.differs) {
      e.classList.add("differs");
      const ours = run.steps[i];
      e.append(element("span", "why", `${other.why}. ${ours ? `Here: ${ours.who}: ${ours.deed}` : "Here the run has ended."}`));
    }
    e.addEventListener("click", () => goTo(i + 1));
    into.append(e);
  }
}
function showOther() {
  if (!run.other) return;
  [...$("other").children].forEach((e, i) => {
    e.classList.toggle("current", i + 1 === step);
    e.classList.toggle("later", i + 1 > step);
    if (i + 1 === step) center($("other"), e.offsetTop - $("other").offsetTop, e.offsetHeight);
  });
}

// --- moving ------------------------------------------------------------------------------------------------------

function goTo(n) {
  step = Math.max(0, Math.min(run.steps.length, n));
  $("slider").value = String(step);
  const s = step ? run.steps[step - 1] : null;
  const text = s ? `step ${step + run.leftOut} of ${run.steps.length + run.leftOut}: ${s.who}: ${s.deed}` : `the start; ${run.steps.length} steps follow`;
  $("now").textContent = text;
  $("now").title = text;
  showPicture(); showText(); showValues(); showChart(); showOther();
}
function drawAll() { showHead(); drawPicture(); drawText(); drawOther(); drawChart(); goTo(step); } // the chart last: it takes the width that is left
function toggleFold() { if (hasFolds) { folded = !folded; drawAll(); } }
function play() {
  if (timer) { clearInterval(timer); timer = 0; return; }
  if (step === run.steps.length) goTo(0);
  timer = setInterval(() => {
    if (step < run.steps.length) goTo(step + 1);
    else if (run.cycle !== null && run.cycle < run.steps.length) goTo(run.cycle + 1);
    else play();
  }, 700);
}
function choose(n) {
  run = data.runs[n];
  states = statesOf(run);
  step = run.kind ? run.steps.length : Math.min(1, run.steps.length);
  if (run.other && run.other.differs !== null) step = Math.min(run.steps.length, run.other.differs - run.leftOut);
  if (run.place) shownFile = run.place[0];
  $("slider").max = String(run.steps.length);
  drawAll();
}
const KEYS = {
  ArrowLeft: () => goTo(step - 1), ArrowRight: () => goTo(step + 1), PageUp: () => goTo(step - 10), PageDown: () => goTo(step + 10),
  Home: () => goTo(0), End: () => goTo(run.steps.length), " ": play, f: toggleFold, d: () => $("theme").click(), "?": () => $("help").click(),
  c: () => { if (run.cycle !== null) goTo(run.cycle); }, b: () => { if (run.other && run.other.differs !== null) goTo(run.other.differs - run.leftOut); },
};
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT" || (e.key === " " && e.target.tagName === "BUTTON")) return;
  const act = KEYS[e.key];
  if (act) { e.preventDefault(); act(); }
});
$("slider").addEventListener("input", (e) => goTo(Number(e.target.value)));
$("first").addEventListener("click", () => goTo(0));
$("back").addEventListener("click", () => goTo(step - 1));
$("next").addEventListener("click", () => goTo(step + 1));
$("last").addEventListener("click", () => goTo(run.steps.length));
$("play").addEventListener("click", play);
$("fold").addEventListener("click", toggleFold);
$("theme").addEventListener("click", () => document.documentElement.classList.toggle("dark"));
$("help").addEventListener("click", () => { $("keys").hidden = !$("keys").hidden; $("help").setAttribute("aria-expanded", String(!$("keys").hidden)); });
data.runs.forEach((r, i) => $("run").append(new Option(cut(r.title, 80), String(i))));
$("run").hidden = data.runs.length < 2;
$("run").addEventListener("change", (e) => choose(Number(e.target.value)));
data.sources.forEach((s, i) => $("file").append(new Option(s.name, String(i))));
$("file").addEventListener("change", (e) => { shownFile = Number(e.target.value); drawText(); showText(); });
if (window.matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark");
$("legend").textContent = "Rounded: a server. Dashed: it waits. Filled: it acts in this step. Red: the circle of waiting." +
  (data.picture.channels.length ? "" : " There are no channels: these processes share variables.");
window.addEventListener("resize", () => { drawChart(); showChart(); });
$("scroll").addEventListener("scroll", () => pin());
window.addEventListener("beforeprint", () => pin(0));
window.addEventListener("afterprint", () => pin());
choose(0);
