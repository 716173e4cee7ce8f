// Runs pytest in Pyodide: node pyodide.mjs RUNTIME REPOSITORY PACKAGES [pytest's arguments]. Exits as pytest does.
import { pathToFileURL } from "node:url";

const [runtime, repository, packages, ...args] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: runtime, env: { WARPBOOK_TEST_GPUS: "0", MPLBACKEND: "agg" } });
await pyodide.loadPackage(["numpy", "matplotlib", "ipython"], { messageCallback: () => {} });
for (const [name, path] of [["/repository", repository], ["/packages", packages]]) {
  pyodide.FS.mkdirTree(name);
  pyodide.mountNodeFS(name, path);
}
pyodide.globals.set("ARGS", pyodide.toPy(args));
let failed = 1;
try {
  failed = await pyodide.runPythonAsync(`
import os, sys
sys.dont_write_bytecode = True
sys.path[:0] = ["/repository", "/packages"]
os.chdir("/repository")
import numpy, pytest
print(f"Python {sys.version.split()[0]} on {sys.platform}, NumPy {numpy.__version__}, intp {numpy.dtype('intp').itemsize} bytes")
int(pytest.main(["-p", "no:cacheprovider", "-p", "tests.simt.in_pyodide", "--capture=sys", *ARGS]))
`);
} catch (error) {
  console.error(String(error.message).slice(-3000)); // the whole error would quote a megabyte of JavaScript
}
process.exit(failed);
