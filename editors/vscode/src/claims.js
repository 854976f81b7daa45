// Properties, assertions and deadlock in the Testing view.
"use strict";

const vscode = require("vscode");

class Claims {
  constructor(context, server) {
    this.server = server;
    this.controller = vscode.tests.createTestController("lf", "LF");
    this.controller.createRunProfile("Check", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.known = new Map(); // by uri: what the server told last
    context.subscriptions.push(this.controller);
  }

  // Of one text: its claims, and their verdicts as they are now.
  show({ uri, items }) {
    this.known.set(uri, items);
    if (items.length === 0) {
      this.controller.items.delete(uri);
      return;
    }
    let file = this.controller.items.get(uri);
    if (!file) {
      file = this.controller.createTestItem(uri, vscode.Uri.parse(uri).path.split("/").pop(), vscode.Uri.parse(uri));
      this.controller.items.add(file);
    }
    file.children.replace(items.map((item) => this.item(uri, item)));
    const stale = [];
    file.children.forEach((child) => {
      if (items.find((i) => i.id === child.label_id)?.status === "unknown") stale.push(child);
    });
    // An unknown verdict is no result: what was shown of an earlier text is taken back.
    if (items.some((i) => i.status === "unknown")) this.controller.invalidateTestResults(stale);
    const told = items.filter((i) => i.status !== "unknown");
    if (told.length) this.tell(uri, new vscode.TestRunRequest(this.children(file)), told);
  }

  item(uri, told) {
    const item = this.controller.createTestItem(`${uri}#${told.id}`, told.label, vscode.Uri.parse(uri));
    item.label_id = told.id;
    item.range = toRange(told.range);
    item.description = told.kind === "deadlock" ? "program" : told.kind;
    item.sortText = `${told.kind === "deadlock" ? 0 : 1}${String(told.range.start.line).padStart(6, "0")}`;
    return item;
  }

  children(file) {
    const found = [];
    file.children.forEach((child) => found.push(child));
    return found;
  }

  tell(uri, request, items) {
    const run = this.controller.createTestRun(request, uri.split("/").pop(), false);
    const file = this.controller.items.get(uri);
    for (const told of items) {
      const item = file?.children.get(`${uri}#${told.id}`);
      if (item) report(run, item, told);
    }
    run.end();
  }

  async run(request, token) {
    const wanted = request.include ?? this.children({ children: this.controller.items });
    const uris = new Set(wanted.map((item) => item.uri.toString()));
    for (const uri of uris) {
      const one = wanted.length === 1 && wanted[0].label_id ? wanted[0].label_id : "program";
      token.onCancellationRequested(() => this.server.cancel(uri));
      const run = this.controller.createTestRun(request, uri.split("/").pop(), false);
      const file = this.controller.items.get(uri);
      const items = this.children(file).filter((item) => one === "program" || item.label_id === one);
      items.forEach((item) => run.started(item));
      const told = await this.server.check(uri, one, 0);
      for (const t of told) {
        const item = this.controller.items.get(uri)?.children.get(`${uri}#${t.id}`);
        if (item && (one === "program" || t.id === one)) report(run, item, t);
      }
      run.end();
    }
  }
}

function report(run, item, told) {
  if (told.status === "holds") {
    run.passed(item);
  } else if (told.status === "violated") {
    const message = new vscode.TestMessage(told.message);
    if (told.where) message.location = new vscode.Location(vscode.Uri.parse(told.where.uri), toRange(told.where.range));
    run.failed(item, message);
  } else {
    run.skipped(item);
  }
}

function toRange({ start, end }) {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

module.exports = { Claims };
