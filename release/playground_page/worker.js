// Python, in a worker: the page stays alive, and a search can be stopped by ending the worker.
import { loadPyodide } from "./pyodide.mjs";

const ready = (async () => {
  const zip = fetch("lf.zip").then((answer) => answer.arrayBuffer()); // comes while Python starts
  const python = await loadPyodide({ indexURL: new URL(".", import.meta.url).href });
  python.unpackArchive(await zip, "zip", { extractDir: "/lf" });
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
