// Drives VS Code in a browser and looks at what the extension shows; a picture of each scene goes to the folder.
// Started by code_server.py, which says: URL, folder for pictures.
"use strict";

const { chromium } = require(require.resolve("playwright-core", { paths: [process.env.LF_TOOLS] }));

const [url, pictures, ...only] = process.argv.slice(2);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PATIENCE = 120000;
const SAVE = "Control+s";

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.LF_CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.setDefaultTimeout(PATIENCE);
  const failed = [];
  try {
    await page.goto(url);
    await page.waitForSelector(".monaco-workbench");
    await page.waitForTimeout(5000);
    for (const [name, scene] of Object.entries(SCENES)) {
      if (only.length && !only.includes(name)) continue;
      try {
        await scene(page);
        console.log(`${name}: as it should be`);
      } catch (error) {
        failed.push(name);
        console.log(`${name}: ${String(error).split("\n")[0]}`);
      }
      await page.screenshot({ path: `${pictures}/${name}.png` });
    }
  } finally {
    await browser.close();
  }
  process.exit(failed.length ? 1 : 0);
}

async function open(page, file) {
  await page.keyboard.press("Control+p");
  await page.waitForSelector(".quick-input-widget:not([style*='display: none']) input");
  await page.keyboard.type(file);
  await page.waitForSelector(`.quick-input-list .monaco-list-row.focused:has-text("${file}")`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.tab.active[data-resource-name="${file}"]`);
  await page.waitForTimeout(1000);
}

async function command(page, title) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget:not([style*='display: none']) input");
  await page.keyboard.type(title);
  await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${title}")`);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
}

async function goTo(page, line, column) {
  await page.keyboard.press("Control+g");
  await page.waitForTimeout(500);
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
}

async function save(page) {
  await goTo(page, 1, 1);
  await expect(page, "a lens", async () => (await lenses(page)) !== ""); // before, there is nobody who hears of it
  await page.keyboard.press(SAVE);
}

// Spaces of the editor are no plain spaces.
async function text(page) {
  const lines = await page.locator(".editor-group-container.active .view-lines").first().innerText();
  return lines.replace(/\u00a0/g, " ");
}

async function expect(page, what, found, patience = 60000) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    if (await found()) return;
    await page.waitForTimeout(250);
  }
  throw new Error(`not seen: ${what}`);
}

const lenses = async (page) => (await page.locator(".codelens-decoration").allInnerTexts()).join("\n").replace(/\u00a0/g, " ");

const SCENES = {
  async error_and_fix(page) {
    await open(page, "Slip.lf");
    await expect(page, "language", async () => (await page.locator(".statusbar-item").allInnerTexts()).join().includes("LF (toolchain)"));
    await page.waitForSelector(".squiggly-error");
    await goTo(page, 11, 25);
    await page.keyboard.press("Control+.");
    await page.waitForSelector('.action-widget .monaco-list-row:has-text("Change to `data`")');
    await page.screenshot({ path: `${pictures}/fix_offered.png` });
    await page.keyboard.press("Enter");
    await expect(page, "the fixed text", async () => (await text(page)).includes("out!data(i)"));
    await expect(page, "no error", async () => (await page.locator(".squiggly-error").count()) === 0);
  },
  async hover(page) {
    await open(page, "traffic.lf");
    const name = page.locator(".view-line span span", { hasText: /^.*neverTwoGreens.*$/ }).first();
    await name.hover();
    await expect(page, "the hover", async () => (await page.locator(".monaco-hover").allInnerTexts()).join().includes("PROPERTY neverTwoGreens"));
  },
  async verdicts_after_a_save(page) {
    await open(page, "traffic.lf");
    await save(page);
    await expect(page, "a verdict", async () => (await lenses(page)).includes("\u2713 holds \u00b7 146 states"));
  },
  async unknown_after_an_edit(page) {
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" ");
    await goTo(page, 1, 1);
    await expect(page, "unknown", async () => {
      const shown = await lenses(page);
      return shown.includes("? unknown: changed since it was checked") && !shown.includes("\u2713");
    });
    await page.screenshot({ path: `${pictures}/unknown.png` });
    await page.keyboard.press("Control+z");
    await goTo(page, 1, 1);
    await expect(page, "the verdict again", async () => (await lenses(page)).includes("\u2713 holds"));
  },
  async rename(page) {
    await open(page, "prodcons.lf");
    const before = await text(page);
    await goTo(page, 7, 12);
    await page.keyboard.press("F2");
    const box = page.locator(".rename-box input").first();
    await box.fill("Maker");
    await page.screenshot({ path: `${pictures}/rename_box.png` });
    await box.press("Enter");
    await expect(page, "the new name", async () => (await text(page)).includes("END Maker") && !(await text(page)).includes("Producer("));
    await page.keyboard.press("Control+z");
    await expect(page, "the old text", async () => (await text(page)) === before);
  },
  async completion(page) {
    await open(page, "Slip.lf");
    await goTo(page, 11, 24);
    await page.keyboard.press("Control+Space");
    await expect(page, "the messages", async () => {
      const shown = (await page.locator(".suggest-widget .monaco-list-row").allInnerTexts()).join();
      return shown.includes("data") && shown.includes("end");
    });
    await page.screenshot({ path: `${pictures}/suggestions.png` });
    await page.keyboard.press("Escape");
  },
  async testing_view(page) {
    await open(page, "Mixed.lf");
    await save(page);
    await expect(page, "a violation", async () => (await lenses(page)).includes("\u2717"));
    await command(page, "Testing: Focus on Test Explorer View");
    await command(page, "Test: Run All Tests");
    await expect(page, "a failed test", async () => (await page.locator(".test-explorer .codicon-testing-failed-icon").count()) > 0);
    const row = page.locator('.test-explorer .monaco-list-row:has-text("Mixed.lf") .monaco-tl-twistie');
    if ((await row.getAttribute("class")).includes("collapsed")) await row.click();
    await expect(page, "the claims", async () => {
      const shown = (await page.locator(".test-explorer .monaco-list-row").allInnerTexts()).join("\n");
      return ["no deadlock", "low", "fine"].every((name) => shown.includes(name));
    });
  },
  async outdated_after_an_edit(page) {
    await page.keyboard.press("Control+1");
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" ");
    await goTo(page, 1, 1);
    await expect(page, "unknown", async () => (await lenses(page)).includes("? unknown: changed since it was checked"));
    const results = page.locator(".test-explorer .monaco-tl-contents:has-text('property'), .test-explorer .monaco-tl-contents:has-text('assert')");
    const verdicts = page.locator(".codicon-testing-failed-icon, .codicon-testing-passed-icon");
    await expect(page, "no result in the view", async () => (await results.count()) > 0 && (await results.locator(verdicts).count()) === 0);
    const file = page.locator(".test-explorer .monaco-list-row:has-text('Mixed.lf')");
    await expect(page, "no result of the file", async () => (await file.count()) > 0 && (await file.locator(verdicts).count()) === 0);
    await expect(page, "no result beside the text", async () => (await page.locator(".editor-group-container.active .testing-run-glyph").count()) > 0
      && (await page.locator(".editor-group-container.active .glyph-margin-widgets").locator(verdicts).count()) === 0);
    await page.screenshot({ path: `${pictures}/outdated.png` });
    await page.keyboard.press("Control+z");
    await goTo(page, 1, 1);
    await expect(page, "the violation again", async () => (await lenses(page)).includes("\u2717"));
  },
  async counterexample(page) {
    await open(page, "Mixed.lf");
    await goTo(page, 5, 1);
    await page.waitForTimeout(1500);
    await page.locator('.codelens-decoration a:has-text("play counterexample")').nth(1).click();
    const bar = async () => (await page.locator(".statusbar-item").allInnerTexts()).join(" ");
    await expect(page, "the first step", async () => (await bar()).includes("step 1 of"));
    const first = await bar();
    await page.screenshot({ path: `${pictures}/step_1.png` });
    await page.keyboard.press("Alt+ArrowRight");
    await expect(page, "the second step", async () => (await bar()).includes("step 2 of"));
    await page.keyboard.press("Alt+ArrowRight");
    await expect(page, "the third step", async () => (await bar()).includes("step 3 of"));
    await page.screenshot({ path: `${pictures}/step_3.png` });
    await page.keyboard.press("Alt+ArrowLeft");
    await page.keyboard.press("Alt+ArrowLeft");
    await expect(page, "the first step again", async () => (await bar()).includes("step 1 of"));
    if (!first.includes("step 1 of")) throw new Error("no first step");
  },
};

main();
