"use strict";
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const DRAWN = 1000; // states that are drawn without sigma
let way = [{ state: 0, choice: null, text: "the start" }], at = 0, here = null, before = null, graph = null, shownFile = 0, sigma = null, wanted = DRAWN, work = Promise.resolve();

async function ask(path) {
  const response = await fetch(path);
  const data = await response.json();
  if (!response.ok) throw new Error(data.error);
  return data;
}
function element(name, className, ...inside) {
  const e = document.createElement(name);
  if (className) e.className = className;
  e.append(...inside);
  return e;
}
function make(name, attributes, ...inside) {
  const e = document.createElementNS(SVG, name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...inside);
  return e;
}
// One thing after the other: what is asked of the server while a state is on its way waits for it.
function then(f) {
  document.body.dataset.busy = "1";
  work = work.then(f).catch((e) => { $("said").textContent = String(e.message || e); }).finally(() => { delete document.body.dataset.busy; });
  return work;
}

// --- the way -----------------------------------------------------------------------------------------------------

async function stand() {
  const last = here;
  here = await ask(`state?n=${way[at].state}`);
  before = at > 0 ? (last && last.state === way[at - 1].state ? last : await ask(`state?n=${way[at - 1].state}`)) : null;
  if (!graph || here.known > graph.nodes.length || here.choices.some((c) => c.target !== null && c.target >= graph.nodes.length)) await draw(graph ? graph.nodes.length : wanted);
  show();
}
async function take(number) {
  const c = here.choices[number];
  if (!c) return;
  if (c.target === null) { $("said").textContent = `${c.text}: nothing comes behind a fault`; return; }
  way = [...way.slice(0, at + 1), { state: c.target, choice: number, text: c.text }];
  at += 1;
  await stand();
}
async function follow(choices) {
  way = way.slice(0, 1);
  at = 0;
  for (const number of choices) {
    const s = await ask(`state?n=${way[at].state}`), c = s.choices[number];
    if (c.target === null) break;
    way.push({ state: c.target, choice: number, text: c.text });
    at += 1;
  }
  await stand();
}
async function go(n) {
  if (n < 0 || n >= way.length || n === at) return;
  at = n;
  await stand();
}
async function goToState(n) {
  const on = way.findIndex((w) => w.state === n);
  if (on >= 0) await go(on); else await follow((await ask(`way?n=${n}`)).way);
}

// --- what is shown -----------------------------------------------------------------------------------------------

function show() {
  const what = { deadlock: "deadlock", end: "the program has ended", fault: "a fault can happen here" }[here.kind] || "";
  $("title").textContent = `${program.module}: step ${at}${what ? `, ${what}` : ""}`;
  $("title").className = here.kind === "deadlock" ? "bad" : "";
  $("said").textContent = `${program.file}. State ${here.state}, ${here.depth} steps from the start at least.`;
  $("back").disabled = at === 0;
  $("forward").disabled = at === way.length - 1;
  $("save").href = `trace?way=${way.slice(1, at + 1).map((w) => w.choice).join(",")}`;
  $("choices").replaceChildren(...here.choices.map((c, i) => {
    const b = element("button", c.target === null ? "fault" : "", c.text);
    b.type = "button";
    b.addEventListener("click", () => then(() => take(i)));
    return element("li", "", b);
  }));
  $("stuck").textContent = here.said.join("\n");
  showText();
  showTables();
  $("way").replaceChildren(...way.map((w, i) => {
    const li = element("li", i === at ? "now" : i > at ? "ahead" : "", w.text);
    li.addEventListener("click", () => then(() => go(i)));
    return li;
  }));
  $("way").children[at].scrollIntoView({ block: "nearest" });
  mark();
}
function showText() {
  const names = here.sources.map((s) => s.name), select = $("file");
  if (select.children.length !== names.length) select.replaceChildren(...names.map((n, i) => new Option(n.split("/").pop(), i)));
  const acted = before && Object.entries(here.at).find(([n, p]) => JSON.stringify(p) !== JSON.stringify(before.at[n]));
  if (acted) shownFile = acted[1][0];
  select.value = shownFile;
  const standing = new Map();
  for (const [name, [file, line]] of Object.entries(here.at)) if (file === shownFile) standing.set(line, [...(standing.get(line) || []), name]);
  $("text").replaceChildren(...here.sources[shownFile].lines.map((text, i) => {
    const who = standing.get(i + 1) || [], acts = acted && who.includes(acted[0]);
    const line = element("div", `line${acts ? " acts" : who.length ? " here" : ""}`, element("span", "n", String(i + 1)), element("span", "code", text));
    if (who.length) line.append(element("span", "who", who.length > 4 ? `${who.slice(0, 4).join(", ")} and ${who.length - 4} more` : who.join(", ")));
    return line;
  }));
  const first = $("text").querySelector(".acts, .here");
  if (first) $("text").scrollTop = first.offsetTop - $("text").offsetTop - 150;
}
function row(name, value, changed) { return element("tr", changed ? "changed" : "", element("td", "", name), element("td", "", value)); }
function showTables() {
  const place = ([file, line, waits]) => `${here.sources[file].name.split("/").pop()}:${line}${waits ? ` waits for ${waits}` : ""}`;
  $("processes").replaceChildren(...Object.entries(here.at).map(([n, p]) => row(n, place(p), before && JSON.stringify(p) !== JSON.stringify(before.at[n]))));
  $("values").replaceChildren(...Object.entries(here.values).map(([n, v]) => {
    const was = before ? before.values[n] : undefined;
    return row(n, before && was !== undefined && was !== v ? `${v}   (was ${was})` : v, before && was !== v);
  }));
}

// --- the graph ---------------------------------------------------------------------------------------------------

async function draw(most) {
  graph = await ask(`graph?most=${most}`);
  const n = graph.nodes.length;
  $("graph-title").textContent = `States: ${n}${graph.complete ? ", all that there are" : " so far"}, ${graph.edges.length} transitions`;
  $("grow").disabled = graph.complete;
  if (sigma) { sigma.kill(); sigma = null; }
  $("graph").replaceChildren();
  const large = n > DRAWN;
  const drawn = large && (await load("graphology.js")) && (await load("sigma.js"));
  $("legend").textContent = "Blue: where you are, and the path. Red: a deadlock, or a fault can happen. Green: the end. Hollow: not looked at yet. A click goes there." +
    (large && !drawn ? " Only the surroundings are drawn: npm's sigma and graphology, which draw more than 1,000 states, are not installed." : "");
  if (drawn) bySigma();
  graph.by = drawn ? "sigma" : large ? "part" : "svg";
  $("graph").dataset.by = graph.by;
  if (graph.by === "svg") bySvg(graph.nodes.map((_, i) => i));
}
const loaded = {};
function load(name) {
  loaded[name] ||= new Promise((done) => {
    const s = document.createElement("script");
    s.src = name;
    s.onload = () => done(true);
    s.onerror = () => done(false);
    document.head.append(s);
  });
  return loaded[name];
}
function bySvg(states) {
  const shown = new Set(states), x = states.map((s) => graph.nodes[s][0]), y = states.map((s) => graph.nodes[s][1]);
  const left = Math.min(...x) - 20, top = Math.min(...y) - 20, wide = Math.max(...x) - left + 20, high = Math.max(...y) - top + 20;
  const svg = make("svg", { width: wide, height: high, viewBox: `${left} ${top} ${wide} ${high}`, role: "img", "aria-label": "State graph" });
  svg.style.margin = "0 auto";
  for (const [s, t] of graph.edges) {
    if (!shown.has(s) || !shown.has(t)) continue;
    const [a, b] = graph.nodes[s], [c, d] = graph.nodes[t];
    svg.append(make("line", { x1: a, y1: b, x2: c, y2: d, id: `e${s}-${t}` }));
  }
  for (const s of states) {
    const [cx, cy, kind] = graph.nodes[s];
    const c = make("circle", { cx, cy, r: 7, id: `s${s}`, class: kind }, make("title", {}, `state ${s}${kind ? `, ${kind}` : ""}`));
    c.addEventListener("click", () => then(() => goToState(s)));
    svg.append(c);
  }
  $("graph").replaceChildren(svg);
}
// Around where one stands, and around the end of the way: two steps back and forth.
function surroundings() {
  const near = new Set([here.state, ...way.slice(Math.max(0, at - 10), at + 10).map((w) => w.state)]);
  for (let round = 0; round < 2; round++) {
    const edge = [...near];
    for (const [s, t] of graph.edges) if (near.size < 300 && (edge.includes(s) || edge.includes(t))) { near.add(s); near.add(t); }
  }
  return [...near].filter((s) => s < graph.nodes.length);
}
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
function nodeColour(s) {
  const kind = graph.nodes[s][2];
  if (s === here.state || onWay().has(s)) return colour("--accent");
  return kind === "deadlock" || kind === "fault" ? colour("--bad") : kind === "end" ? "#2e7d32" : kind === "new" ? colour("--line") : colour("--soft");
}
const onWay = () => new Set(way.slice(0, at + 1).map((w) => w.state));
function bySigma() {
  const g = new graphology.Graph({ type: "directed", allowSelfLoops: true });
  graph.nodes.forEach(([x, y], i) => g.addNode(String(i), { x, y: -y, size: 3, color: colour("--soft") }));
  for (const [s, t] of graph.edges) g.addEdge(String(s), String(t), { color: colour("--line"), size: 0.6 });
  sigma = new Sigma(g, $("graph"), { renderLabels: false, allowInvalidContainer: true } /* while the window changes its size, it may have no width */);
  sigma.on("clickNode", ({ node }) => then(() => goToState(Number(node))));
}
function mark() {
  const states = onWay();
  if (graph.by === "part") bySvg(surroundings());
  if (graph.by === "sigma") {
    const g = sigma.getGraph();
    g.forEachNode((n) => g.mergeNodeAttributes(n, { color: nodeColour(Number(n)), size: Number(n) === here.state ? 9 : states.has(Number(n)) ? 6 : 3, zIndex: states.has(Number(n)) ? 1 : 0 }));
    return;
  }
  for (const e of $("graph").querySelectorAll(".way, .now")) e.classList.remove("way", "now");
  for (const s of states) $(`s${s}`)?.classList.add("way");
  for (let i = 1; i <= at; i++) $(`e${way[i - 1].state}-${way[i].state}`)?.classList.add("way");
  const now = $(`s${here.state}`);
  if (now) { now.classList.add("now"); const box = $("graph"); box.scrollTo(now.getBoundingClientRect().left - box.firstChild.getBoundingClientRect().left - box.clientWidth / 2, now.getBoundingClientRect().top - box.firstChild.getBoundingClientRect().top - box.clientHeight / 2); }
}
async function grow() {
  wanted = graph.nodes.length + 1000;
  await draw(wanted);
  mark();
}

// --- keys --------------------------------------------------------------------------------------------------------

const KEYS = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(way.length - 1), m: () => grow() };
function theme() { document.documentElement.classList.toggle("dark"); if (here && graph) { mark(); } }
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT") return;
  if (e.key >= "1" && e.key <= "9") then(() => take(Number(e.key) - 1));
  else if (e.key === "d") theme();
  else if (KEYS[e.key]) { e.preventDefault(); then(KEYS[e.key]); }
});
$("first").addEventListener("click", () => then(KEYS.Home));
$("back").addEventListener("click", () => then(KEYS.ArrowLeft));
$("forward").addEventListener("click", () => then(KEYS.ArrowRight));
$("grow").addEventListener("click", () => then(grow));
$("theme").addEventListener("click", theme);
$("file").addEventListener("change", () => { shownFile = Number($("file").value); const b = before; before = null; showText(); before = b; });
if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark");
let program = null;
then(async () => { program = await ask("program"); document.title = `${program.module}: lfc view`; await follow(program.way); });
