// Opens pages in a browser, goes through them, and makes pictures, which are to be looked at.
// Started by six_pages.py: FOLDER-OF-PICTURES PAGE...
"use strict";

const path = require("node:path");
const { chromium } = require(require.resolve("playwright-core", { paths: [process.env.LF_TOOLS] }));

const [pictures, ...pages] = process.argv.slice(2);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const WIDTHS = [[1280, 1100], [480, 1000]];

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.LF_CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  const wrong = [];
  for (const file of pages) {
    const name = path.basename(file, ".html");
    for (const [width, height] of WIDTHS) {
      for (const colorScheme of width > 1000 ? ["light", "dark"] : ["light"]) {
        const page = await browser.newPage({ viewport: { width, height }, colorScheme });
        page.on("pageerror", (e) => wrong.push(`${name}: ${e}`));
        page.on("console", (m) => { if (m.type() === "error") wrong.push(`${name}: ${m.text()}`); });
        page.on("request", (r) => { if (!r.url().startsWith("file:")) wrong.push(`${name}: asks for ${r.url()}`); });
        await page.goto(`file://${path.resolve(file)}`);
        for (const problem of await page.evaluate(walk)) wrong.push(`${name} at ${width}: ${problem}`);
        await page.evaluate(() => window.scrollTo(0, 0));
        await page.screenshot({ path: path.join(pictures, `${name}-${width}${colorScheme === "dark" ? "-dark" : ""}.png`), fullPage: true });
        if (width > 1000 && colorScheme === "light") await page.pdf({ path: path.join(pictures, `${name}.pdf`) });
        await page.close();
      }
    }
    console.log(name);
  }
  await browser.close();
  for (const line of wrong) console.log(line);
  process.exit(wrong.length ? 1 : 0);
}

// Runs in the page: every key does what it says, there and back is the same, and nothing is wider than the window.
function walk() {
  const wrong = [], slider = document.getElementById("slider"), last = Number(slider.max);
  const key = (k) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
  const seen = () => document.getElementById("values").textContent + document.getElementById("picture").textContent;
  const start = Number(slider.value), there = seen();
  key("Home");
  if (slider.value !== "0") wrong.push("Home does not lead to the start");
  const first = seen();
  for (let i = 0; i < last; i++) key("ArrowRight");
  if (Number(slider.value) !== last) wrong.push(`${last} steps forward end at ${slider.value}`);
  for (let i = 0; i < last; i++) key("ArrowLeft");
  if (seen() !== first) wrong.push("forwards and backwards is not where it began");
  const rows = document.querySelectorAll("#chart .row").length;
  key("f");
  const unfolded = document.querySelectorAll("#chart .row").length;
  if (!document.getElementById("fold").hidden && unfolded < rows) wrong.push("unfolding shows fewer rows");
  key("f");
  key("End");
  for (let i = last; i > start; i--) key("ArrowLeft");
  if (seen() !== there) wrong.push("back where the page began it shows something else");
  const over = document.documentElement.scrollWidth - window.innerWidth;
  if (over > 0) wrong.push(`the page is ${over} pixels wider than the window`);
  return wrong;
}

main();
