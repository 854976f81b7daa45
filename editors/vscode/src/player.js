// Plays a counterexample: the line of each step is marked, with who did what and what changed; forwards and backwards.
"use strict";

const vscode = require("vscode");

class Player {
  constructor(context) {
    this.line = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
      overviewRulerColor: new vscode.ThemeColor("editorWarning.foreground"),
      after: { margin: "0 0 0 3em", color: new vscode.ThemeColor("editorCodeLens.foreground") },
    });
    this.bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 1000);
    this.output = vscode.window.createOutputChannel("LF counterexample");
    context.subscriptions.push(this.line, this.bar, this.output);
    context.subscriptions.push(vscode.workspace.onDidChangeTextDocument((e) => this.changed(e)));
  }

  async play(found) {
    this.found = found;
    this.at = 0;
    this.output.replace(found.text);
    await vscode.commands.executeCommand("setContext", "lf.playing", true);
    await this.show();
  }

  async go(by) {
    if (!this.found) return;
    const steps = this.found.steps.length;
    let to = this.at + by;
    if (to >= steps) to = this.found.cycle === null ? steps - 1 : this.found.cycle % steps;
    this.at = Math.max(0, to);
    await this.show();
  }

  async show() {
    const step = this.found.steps[this.at];
    const changed = Object.entries(step.changed).map(([name, value]) => `${name} = ${value}`);
    const who = step.who ? `${step.who} ${step.deed}` : step.deed;
    const repeats = this.found.cycle !== null && this.at >= this.found.cycle ? " (repeats for ever)" : "";
    const place = `step ${this.at + 1} of ${this.found.steps.length}${repeats}`;
    this.bar.text = `$(debug-step-over) ${place}: ${who}`;
    this.bar.tooltip = "Counterexample: Alt+Left and Alt+Right step, Escape closes";
    this.bar.command = "lf.editor.next";
    this.bar.show();
    this.clear();
    if (!step.where) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(step.where.uri));
    const editor = await vscode.window.showTextDocument(document, { preserveFocus: false, preview: true });
    const { start, end } = step.where.range;
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    const said = [`${place}: ${who}`, changed.slice(0, 4).join(", ") + (changed.length > 4 ? ", ..." : "")];
    const contentText = said.filter((s) => s).join("   ");
    editor.setDecorations(this.line, [{ range: new vscode.Range(start.line, start.character, start.line, 1000), renderOptions: { after: { contentText } } }]);
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  clear() {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.line, []);
  }

  // What it shows is of a text that is no more.
  changed(event) {
    const uri = event.document.uri.toString();
    if (event.contentChanges.length && this.found?.steps.some((s) => s.where?.uri === uri)) this.close();
  }

  close() {
    this.found = undefined;
    this.clear();
    this.bar.hide();
    vscode.commands.executeCommand("setContext", "lf.playing", false);
  }
}

module.exports = { Player };
