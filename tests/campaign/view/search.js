// Searches the documentation's site, opened from a folder: no request leaves the machine. Started by site_search.py.
"use strict";

const { chromium } = require(require.resolve("playwright-core", { paths: [process.env.LF_TOOLS] }));
const [page_file, word, wanted] = process.argv.slice(2);

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.LF_CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } }), wrong = [];
  page.on("pageerror", (e) => wrong.push(String(e)));
  page.on("request", (r) => { if (!r.url().startsWith("file:")) wrong.push(`asks for ${r.url()}`); });
  await page.goto(`file://${page_file}`);
  for (let i = 0; i < 30 && !(await page.$(".md-search-result__item h1")); i++) { // until the page's script listens
    await page.click(".md-search__input");
    await page.fill(".md-search__input", "");
    await page.keyboard.type(word);
    await page.waitForSelector(".md-search-result__item h1", { state: "attached", timeout: 2000 }).catch(() => {});
  }
  const found = await page.$$eval(".md-search-result__item h1", (x) => x.map((e) => e.textContent));
  if (!found.includes(wanted)) wrong.push(`${word} leads to ${found.join(", ")}`);
  await browser.close();
  for (const line of wrong) console.log(line);
  process.exit(wrong.length ? 1 : 0);
}

main();
