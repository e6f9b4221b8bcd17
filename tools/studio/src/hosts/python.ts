/** Python in a worker: Pyodide, with Rulewright and the rulesets of the export. */
import type { PyodideInterface } from "pyodide";

const ARCHIVE = "rulewright.zip";
export const FOLDER = "/rulewright";

/** Python with the modules of the host, and those of other archives of the export. */
export async function pythonOf(base: string, additions: readonly string[] = []): Promise<PyodideInterface> {
  const [python, ...archives] = await Promise.all([
    started(new URL("pyodide/", base)),
    ...[ARCHIVE, ...additions].map((name) => fetched(new URL(name, base))),
  ]);
  for (const archive of archives) python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  const path = python.pyimport("sys").path;
  path.insert(0, FOLDER);
  path.append(`${FOLDER}/libraries.zip`);
  return python;
}

async function started(folder: URL): Promise<PyodideInterface> {
  const { loadPyodide } = (await import(/* @vite-ignore */ new URL("pyodide.js", folder).href)) as {
    loadPyodide: typeof import("pyodide").loadPyodide;
  };
  // There is no folder for things that can be made again: it would not outlive this worker.
  return loadPyodide({ indexURL: folder.href, env: { HOME: "/home/pyodide", RULEWRIGHT_CACHE: "" } });
}

async function fetched(address: URL): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} cannot be loaded (${response.status})`);
  return response.arrayBuffer();
}
