// Compiles what the page loads for the Python of the page, so that no reader's browser has to. Started by
// release/playground.py: FOLDER-OF-PYODIDE FOLDER-OF-THE-PAGE
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodide, page] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: pyodide + path.sep });
const bytes = (file) => new Uint8Array(fs.readFileSync(file));
const files = { "lf.zip": path.join(page, "lf.zip"), "examples.json": path.join(page, "examples.json"), "python_stdlib.zip": path.join(pyodide, "python_stdlib.zip") };
for (const [name, file] of Object.entries(files)) python.FS.writeFile(`/tmp/${name}`, bytes(file));
try {
  python.runPython(fs.readFileSync(fileURLToPath(new URL("compile.py", import.meta.url)), "utf8"));
} catch (e) {
  process.stderr.write(`${e.message}\n`); // the stack has all of Pyodide in one line
  process.exit(1);
}
for (const name of ["lf.zip", "python_stdlib.zip"]) fs.writeFileSync(path.join(page, name), python.FS.readFile(`/tmp/compiled_${name}`));
