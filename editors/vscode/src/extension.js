// The extension: starts `lfc lsp` and `lfc dap`, shows claims in the Testing view, plays counterexamples, runs, flashes.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { Player } = require("./player");
const { Claims } = require("./claims");

const LANGUAGE = "lf-toolchain";
// Lenses have these names; the server leaves them to the editor.
const OWN = ["lf.check", "lf.cancel", "lf.counterexample", "lf.run", "lf.flash", "lf.explain"];

let client;

async function activate(context) {
  const player = new Player(context);
  const claims = new Claims(context, {
    check: (uri, claim, seconds) => ask("lf.check", uri, claim, seconds),
    cancel: (uri) => ask("lf.cancel", uri),
  });
  const run = (id, work) => context.subscriptions.push(vscode.commands.registerCommand(id, work));
  run("lf.editor.check", (uri, claim) => checked(uri ?? here(), claim ?? "program"));
  run("lf.editor.cancel", (uri) => ask("lf.cancel", uri ?? here()));
  run("lf.editor.counterexample", (uri, claim) => play(player, uri, claim));
  run("lf.editor.run", (uri) => inTerminal("run", uri ?? here()));
  run("lf.editor.flash", (uri) => inTerminal("flash", uri ?? here()));
  run("lf.editor.explain", (code) => explain(code));
  run("lf.editor.next", () => player.go(1));
  run("lf.editor.previous", () => player.go(-1));
  run("lf.editor.close", () => player.close());
  run("lf.editor.restart", () => client.restart());
  debugging(context);
  client = makeClient();
  client.onNotification("lf/verdicts", (told) => claims.show(told));
  context.subscriptions.push(client, new vscode.Disposable(() => player.close()));
  try {
    await client.start();
  } catch (error) {
    const path = vscode.workspace.getConfiguration("lf").get("path");
    vscode.window.showErrorMessage(
      `LF: \`${path} lsp\` does not start. Install it with pip install 'lf-toolchain[editor]', or set lf.path.`
    );
  }
}

// `lfc dap` is the debugger; F5 without a launch.json debugs the program of the editor.
function debugging(context) {
  const createDebugAdapterDescriptor = () =>
    new vscode.DebugAdapterExecutable(vscode.workspace.getConfiguration("lf").get("path"), ["dap"]);
  const resolveDebugConfiguration = (folder, asked) =>
    asked.type ? asked : { type: "lf", request: "launch", name: "LF", program: "${file}", stopOnEntry: true };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("lf", { createDebugAdapterDescriptor }),
    vscode.debug.registerDebugConfigurationProvider("lf", { resolveDebugConfiguration })
  );
}

function makeClient() {
  const command = vscode.workspace.getConfiguration("lf").get("path");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  return new LanguageClient("lf", "LF", server, {
    documentSelector: [{ language: LANGUAGE }],
    initializationOptions: { commands: OWN },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.lf,lf.toml}") },
    middleware: {
      // The commands of the server are not registered under their own names: here they get something to do first.
      provideCodeLenses: async (document, token, next) => ((await next(document, token)) ?? []).map(renamed),
      provideCodeActions: async (document, range, context, token, next) =>
        ((await next(document, range, context, token)) ?? []).map(renamed),
      executeCommand: (command, args, next) => next(command, args),
    },
  });
}

function renamed(item) {
  const command = item.command;
  if (command && typeof command === "object" && OWN.includes(command.command)) {
    item.command = { ...command, command: command.command.replace("lf.", "lf.editor.") };
  }
  return item;
}

function here() {
  return vscode.window.activeTextEditor?.document.uri.toString();
}

function ask(command, ...args) {
  return client.sendRequest("workspace/executeCommand", { command, arguments: args });
}

async function checked(uri, claim) {
  const title = claim === "program" ? "Checking" : `Checking ${claim.replace(/^\w+:/, "")}`;
  const options = { location: vscode.ProgressLocation.Window, title };
  return vscode.window.withProgress(options, () => ask("lf.check", uri, claim));
}

async function play(player, uri, claim) {
  const found = await ask("lf.counterexample", uri, claim);
  if (found) {
    await player.play(found);
  } else {
    vscode.window.showInformationMessage("LF: the program has changed since it was checked: check it again.");
  }
}

async function explain(code) {
  const page = await ask("lf.explain", code);
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: page });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function inTerminal(what, uri) {
  const file = vscode.Uri.parse(uri);
  const path = vscode.workspace.getConfiguration("lf").get("path");
  const cwd = vscode.Uri.joinPath(file, "..");
  const terminal = vscode.window.terminals.find((t) => t.name === "LF") ?? vscode.window.createTerminal({ name: "LF", cwd });
  terminal.show(true);
  terminal.sendText(`${quoted(path)} ${what} ${quoted(file.fsPath)}`);
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
