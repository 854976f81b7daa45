// Explores a program in a browser and makes pictures, which are to be looked at. Started by live.py: ADDRESS NAME FOLDER
"use strict";

const path = require("node:path");
const { chromium } = require(require.resolve("playwright-core", { paths: [process.env.LF_TOOLS] }));

const [address, name, pictures] = process.argv.slice(2);
const FLAGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]; // sigma draws by WebGL
const wrong = [];
const expect = (what, is, wanted) => { if (is !== wanted) wrong.push(`${name}: ${what}: ${is}, not ${wanted}`); };

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.LF_CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  for (const [width, height, colorScheme] of [[1280, 1000, "light"], [480, 1000, "dark"]]) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    page.setDefaultTimeout(200000); // WebGL without a graphics card is slow
    page.on("pageerror", (e) => wrong.push(`${name}: ${e}`));
    page.on("console", (m) => { if (m.type() === "error" && !(name.endsWith("part") && m.text().includes("404"))) wrong.push(`${name}: ${m.text()}`); });
    page.on("request", (r) => { if (!r.url().startsWith(address)) wrong.push(`${name}: asks for ${r.url()}`); });
    const idle = () => page.waitForFunction(() => !document.body.dataset.busy && document.querySelectorAll("#way li").length, null, { timeout: 120000 });
    const title = () => page.textContent("#title");
    const press = async (key) => { await page.keyboard.press(key); await idle(); };
    await page.goto(address);
    await idle();
    expect("the start", (await title()).includes("step 0"), true);
    const start = await page.textContent("#processes");
    for (let i = 0; i < 6; i++) await press("1");
    expect("after six choices", (await title()).includes("step 6"), true);
    const there = await page.textContent("#processes") + await page.textContent("#values");
    for (let i = 0; i < 6; i++) await press("ArrowLeft");
    expect("back at the start", await page.textContent("#processes"), start);
    await press("End");
    expect("there and back", await page.textContent("#processes") + await page.textContent("#values"), there);
    if (name.startsWith("large")) {
      await press("m");
      expect("drawn by", await page.getAttribute("#graph", "data-by"), name.endsWith("sigma") ? "sigma" : "part");
    } else {
      expect("drawn by", await page.getAttribute("#graph", "data-by"), "svg");
      await page.evaluate(() => document.getElementById("s5").dispatchEvent(new MouseEvent("click")));
      await idle();
      expect("a click on a state goes there", (await page.textContent("#said")).includes("State 5,"), true);
    }
    const trace = await page.evaluate(async () => (await fetch(document.getElementById("save").href)).json());
    expect("the trace has the way's steps", `step ${trace.steps.length}`, (await title()).match(/step \d+/)[0]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) wrong.push(`${name}: the page is ${over} pixels wider than the window`);
    await page.waitForTimeout(1000);
    await page.screenshot({ path: path.join(pictures, `live-${name}-${width}.png`), fullPage: true });
    await page.close();
  }
  await browser.close();
  console.log(name);
  for (const line of wrong) console.log(line);
  process.exit(wrong.length ? 1 : 0);
}

main().catch((e) => { console.log(`${name}: ${e}`); process.exit(1); });
