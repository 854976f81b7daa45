// Opens the playground, checks each program in it, and prints what it says, a line of JSON for each. Started by counts.py.
"use strict";

const fs = require("node:fs");
const { chromium } = require(require.resolve("playwright-core", { paths: [process.env.LF_TOOLS] }));
const [url, programs, picture] = process.argv.slice(2);

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.LF_CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.setDefaultTimeout(240000);
  const wrong = [];
  page.on("pageerror", (e) => wrong.push(String(e)));
  page.on("request", (r) => { if (!r.url().startsWith(url) && !/^(blob|data):/.test(r.url())) wrong.push(`asks for ${r.url()}`); });
  const begun = Date.now();
  await page.goto(url);
  await page.waitForSelector("#check:enabled");
  let first = 0;
  for (const [name, text] of Object.entries(JSON.parse(fs.readFileSync(programs, "utf8")))) {
    await page.fill("#text", text);
    await page.click("#check");
    await page.waitForFunction(() => /\d+ states, \d+ transitions|error LF|does not work/.test(document.getElementById("answer").textContent));
    first = first || Date.now() - begun;
    console.error(`${Date.now() - begun} ms: ${name}`);
    console.log(JSON.stringify({ name, said: await page.textContent("#answer") }));
    await page.screenshot({ path: picture });
    await page.evaluate(() => { document.getElementById("answer").textContent = ""; });
  }
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector("#check:enabled");
  const kept = await page.inputValue("#text"), last = Object.values(JSON.parse(fs.readFileSync(programs, "utf8"))).pop();
  if (kept !== last) wrong.push("the link does not lead back to the program");
  await browser.close();
  console.log(JSON.stringify({ first, wrong }));
}

main();
