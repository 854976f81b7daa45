"use strict";
const $ = (id) => document.getElementById(id);
const WAIT = 250; // milliseconds after a key before the text is looked at
let worker = null, number = 0, shown = 0, timer = 0, begun = 0, examples = {};

function start() {
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.ready) { opened.then(() => { for (const id of ["check", "format"]) $(id).disabled = false; ask("diagnose"); }); return; }
    if (data.number !== undefined && data.number < shown) return;
    $("stop").hidden = true;
    if (data.failed) { $("answer").textContent = `This does not work here: ${data.failed}`; return; }
    if (data.job === "format" && data.told.text) { $("text").value = data.told.text; keep(); }
    $("answer").textContent = words(data.job, data.told);
    $("answer").dataset.job = data.job;
  };
}
function ask(job) {
  clearTimeout(timer); // what was asked last is shown; no look at the text comes after it
  keep();
  shown = ++number;
  begun = performance.now();
  if (job === "check") { $("answer").textContent = "Searching ..."; $("stop").hidden = false; }
  worker.postMessage({ number, job, text: $("text").value });
}
function words(job, told) {
  const lines = told.diagnostics.map((d) => `${d.span ? `line ${d.span.start.line}, column ${d.span.start.column}: ` : ""}${d.severity} ${d.code}: ${d.message}`);
  if (job !== "check" || told.states === undefined) return lines.join("\n") || "No errors, no warnings.";
  const counts = `${told.states} states, ${told.transitions} transitions, ${((performance.now() - begun) / 1000).toFixed(1)} s`;
  const head = told.kinds.length ? `found: ${told.kinds.join(", ")}` : told.complete ? "holds: no failed assertion, fault, deadlock or partial deadlock in any state" : "inconclusive: the first 5,000 states were searched, and nothing was found in them";
  const more = told.properties ? [`${told.properties} properties were not checked: lfc check does.`] : [];
  return [...lines, head, counts, ...more, ...told.way.map((w, i) => `${String(i + 1).padStart(4)}  ${w}`)].join("\n");
}
const pack = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/\+/g, "-").replace(/\//g, "_");
const unpack = (text) => new TextDecoder().decode(Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)));
function keep() { history.replaceState(null, "", `#${pack($("text").value)}`); }

$("text").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => { keep(); if (!$("check").disabled) ask("diagnose"); }, WAIT); });
$("check").addEventListener("click", () => ask("check"));
$("format").addEventListener("click", () => ask("format"));
$("stop").addEventListener("click", () => { worker.terminate(); $("stop").hidden = true; $("answer").textContent = "Stopped. Loading Python ..."; for (const id of ["check", "format"]) $(id).disabled = true; start(); });
$("link").addEventListener("click", () => { keep(); navigator.clipboard?.writeText(location.href); });
$("example").addEventListener("change", () => { $("text").value = examples[$("example").value]; keep(); if (!$("check").disabled) ask("diagnose"); });
start(); // Python loads while the examples come
const opened = (async () => {
  examples = await (await fetch("examples.json")).json();
  for (const name of Object.keys(examples)) $("example").append(new Option(name));
  $("example").value = "philosophers";
  try { $("text").value = location.hash.length > 1 ? unpack(location.hash.slice(1)) : examples.philosophers; } catch { $("text").value = examples.philosophers; }
})();
