// Lays graphs out with elkjs, and measures each layout. Started by layouts.py, with the graphs on standard input.
"use strict";

const fs = require("node:fs");
const ELK = require(require.resolve("elkjs", { paths: [process.env.LF_TOOLS] }));
const WIDE = 100, HIGH = 32; // a box
const WINDOW = [640, 400]; // what the picture is drawn in

function measured(at, edges) {
  const turn = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  const parted = (p, q, r, s) => turn(p, q, r) !== turn(p, q, s);
  let crossings = 0, overlaps = 0;
  edges.forEach(([a, b], i) => edges.slice(0, i).forEach(([c, d]) => {
    const apart = new Set([a, b, c, d]).size === 4;
    if (apart && parted(at[a], at[b], at[c], at[d]) && parted(at[c], at[d], at[a], at[b])) crossings++;
  }));
  const places = Object.values(at);
  places.forEach(([x, y], i) => places.slice(0, i).forEach(([u, v]) => { if (Math.abs(x - u) < WIDE && Math.abs(y - v) < HIGH) overlaps++; }));
  const extent = (k, room) => Math.max(...places.map((p) => p[k])) - Math.min(...places.map((p) => p[k])) + room;
  const scale = Math.min(WINDOW[0] / extent(0, WIDE), WINDOW[1] / extent(1, HIGH), 1.8);
  return `${String(crossings).padStart(4)} crossings, ${overlaps} overlaps, a box is ${(WIDE * scale).toFixed(0)} wide`;
}

async function main() {
  for (const [name, { neighbours, own }] of Object.entries(JSON.parse(fs.readFileSync(0, "utf8")))) {
    const names = Object.keys(neighbours);
    const edges = names.flatMap((a) => neighbours[a].filter((b) => a < b).map((b) => [a, b]));
    console.log(`${name}: ${names.length} nodes, ${edges.length} edges`);
    console.log(`  own      ${measured(own, edges)}`);
    for (const algorithm of ["layered", "stress", "force"]) {
      const told = await new ELK().layout({
        id: "picture",
        layoutOptions: { "elk.algorithm": algorithm, "elk.stress.desiredEdgeLength": "124", "elk.aspectRatio": "1.6" },
        children: names.map((id) => ({ id, width: WIDE, height: HIGH })),
        edges: edges.map(([a, b], i) => ({ id: `edge ${i}`, sources: [a], targets: [b] })),
      });
      console.log(`  ${algorithm.padEnd(8)} ${measured(Object.fromEntries(told.children.map((c) => [c.id, [c.x, c.y]])), edges)}`);
    }
  }
}

main();
