// Properties, assertions and deadlock in the Testing view.
"use strict";

const vscode = require("vscode");

class Claims {
  constructor(context, server) {
    this.server = server;
    this.controller = vscode.tests.createTestController("lf", "LF");
    this.controller.createRunProfile("Check", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.texts = new Map(); // by uri and claim: how often its verdict was taken back
    this.reported = new Set(); // ids of items that have a result
    context.subscriptions.push(this.controller);
  }

  // Of one text: its claims, and their verdicts as they are now.
  show({ uri, items }) {
    const takenBack = this.takeBack(uri, items);
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
    if (takenBack) this.forget(file);
    const told = items.filter((i) => i.status !== "unknown");
    if (told.length) this.tell(uri, new vscode.TestRunRequest(this.children(file)), told);
  }

  // A verdict that is unknown now is no result. The editor keeps results by id, so the claim gets a new one.
  takeBack(uri, items) {
    const gone = items.filter(({ id, status }) => status === "unknown" && this.reported.delete(this.idOf(uri, id)));
    for (const { id } of gone) this.texts.set(`${uri}#${id}`, (this.texts.get(`${uri}#${id}`) ?? 0) + 1);
    return gone.length > 0;
  }

  // The file keeps its id, or its row would be folded; what it had of its claims is overwritten.
  forget(file) {
    const run = this.controller.createTestRun(new vscode.TestRunRequest([file]), file.label, false);
    run.skipped(file);
    run.end();
  }

  idOf(uri, id) {
    return `${uri}#${id}#${this.texts.get(`${uri}#${id}`) ?? 0}`;
  }

  itemOf(uri, id) {
    return this.controller.items.get(uri)?.children.get(this.idOf(uri, id));
  }

  item(uri, told) {
    const item = this.controller.createTestItem(this.idOf(uri, told.id), told.label, vscode.Uri.parse(uri));
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
    for (const told of items) {
      const item = this.itemOf(uri, told.id);
      if (item) this.report(run, item, told);
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
        const item = this.itemOf(uri, t.id);
        if (item && (one === "program" || t.id === one)) this.report(run, item, t);
      }
      run.end();
    }
  }

  report(run, item, told) {
    this.reported.add(item.id);
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
}

function toRange({ start, end }) {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

module.exports = { Claims };
