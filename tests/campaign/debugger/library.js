// Sessions of the protocol's own client for tests of debuggers, @vscode/debugadapter-testsupport, with `lfc dap`.
// Started by clients.py, which says: the folder of the programs; in the environment LF_TOOLS, and
// LF_STARTER, a script that starts the debugger.
"use strict";

const assert = require("assert");
const path = require("path");
const { DebugClient } = require(require.resolve("@vscode/debugadapter-testsupport", { paths: [process.env.LF_TOOLS] }));

const PATIENCE = 240000;
const program = (name) => path.join(process.argv[2], name);

async function session(act) {
  const client = new DebugClient("/bin/sh", process.env.LF_STARTER, "lf");
  client.defaultTimeout = PATIENCE;
  await client.start();
  try {
    await act(client);
  } finally {
    await client.stop();
  }
}

async function values(client, thread) {
  const frame = (await client.stackTraceRequest({ threadId: thread })).body.stackFrames[0].id;
  const found = {};
  for (const scope of (await client.scopesRequest({ frameId: frame })).body.scopes) {
    const shown = (await client.variablesRequest({ variablesReference: scope.variablesReference })).body.variables;
    for (const v of shown) found[v.name] = v.value;
  }
  return found;
}

async function stops(client, reason, line, act) {
  await Promise.all([client.assertStoppedLocation(reason, { line }), act()]);
}

const SESSIONS = {
  async breakpoints_there_and_back(client) {
    const file = program("prodcons.lf");
    await client.hitBreakpoint({ program: file }, { path: file, line: 11 });
    const threadId = (await client.threadsRequest()).body.threads.find((t) => t.name === "Producer").id;
    assert.equal((await values(client, threadId)).i, "0");
    await stops(client, "breakpoint", 11, () => client.continueRequest({ threadId }));
    assert.equal((await values(client, threadId)).i, "1   (was 0)");
    await stops(client, "breakpoint", 11, () => client.reverseContinueRequest({ threadId }));
    assert.equal((await values(client, threadId)).i, "0");
    await client.setBreakpointsRequest({ source: { path: file }, breakpoints: [{ line: 11, condition: "i >= 7" }] });
    await stops(client, "breakpoint", 11, () => client.continueRequest({ threadId }));
    assert.match((await values(client, threadId)).i, /^7/);
    await client.setBreakpointsRequest({ source: { path: file }, breakpoints: [] });
    await Promise.all([client.waitForEvent("stopped"), client.continueRequest({ threadId })]);
    await Promise.all([client.waitForEvent("terminated"), client.continueRequest({ threadId })]);
  },
  async who_is_to_blame(client) {
    const stopped = client.assertStoppedLocation("exception", { line: 9 });
    await Promise.all([client.configurationSequence(), client.launch({ program: program("Counting.lf") }), stopped]);
    const threadId = (await client.threadsRequest()).body.threads[0].id;
    assert.equal((await client.exceptionInfoRequest({ threadId })).body.exceptionId, "assertion");
    const { dataId } = (await client.dataBreakpointInfoRequest({ name: "last" })).body;
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId }] });
    await stops(client, "data breakpoint", 7, () => client.reverseContinueRequest({ threadId }));
    assert.equal((await values(client, threadId)).last, "0");
    await stops(client, "data breakpoint", 7, () => client.stepInRequest({ threadId }));
    assert.equal((await values(client, threadId)).last, "7   (was 0)");
    await stops(client, "data breakpoint", 7, () => client.stepBackRequest({ threadId }));
    assert.equal((await client.evaluateRequest({ expression: "last", context: "watch" })).body.result, "0");
  },
  async messages_and_choices(client) {
    const launched = client.launch({ program: program("philosophers.lf"), stopOnEntry: true });
    const stopped = client.waitForEvent("stopped");
    await Promise.all([client.configurationSequence(), launched]);
    const first = (await stopped).body.threadId;
    await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "get" }] });
    const asked = [client.waitForEvent("stopped"), client.continueRequest({ threadId: first })];
    const { reason, threadId } = (await Promise.all(asked))[0].body;
    assert.equal(reason, "function breakpoint");
    const frame = (await client.stackTraceRequest({ threadId })).body.stackFrames[0].id;
    const { targets } = (await client.stepInTargetsRequest({ frameId: frame })).body;
    assert.ok(targets.length > 1);
    const taken = targets[targets.length - 1].id;
    await Promise.all([client.waitForEvent("stopped"), client.stepInRequest({ threadId, targetId: taken })]);
    await client.terminateRequest();
  },
};

async function main() {
  for (const [name, act] of Object.entries(SESSIONS)) {
    await session(act);
    console.log(`${name}: as it should be`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
