// Python, in a worker: the page stays alive, and a search can be stopped by ending the worker.
import { loadPyodide } from "./pyodide.mjs";

const ready = (async () => {
  const python = await loadPyodide({ indexURL: new URL(".", import.meta.url).href });
  const zip = await (await fetch("lf.zip")).arrayBuffer();
  python.unpackArchive(zip, "zip", { extractDir: "/lf" });
  python.runPython("import sys; sys.path.insert(0, '/lf'); from answers import answer");
  postMessage({ ready: true });
  return python.globals.get("answer");
})().catch((e) => postMessage({ failed: String(e) }));

addEventListener("message", async ({ data }) => {
  const answer = await ready;
  try {
    postMessage({ number: data.number, job: data.job, told: JSON.parse(answer(data.job, data.text)) });
  } catch (e) {
    postMessage({ number: data.number, job: data.job, failed: String(e).split("\n").slice(-2).join(" ") });
  }
});
