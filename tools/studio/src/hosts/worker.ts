/** The worker in which the host runs: Pyodide with the same Python as behind the server. */
import type { PyodideInterface } from "pyodide";
import type { Begin, FromWorker } from "./messages";
import { Storage } from "./storage";

/** `rulewright_tools.studio.browser.WorkerHost`, as it is seen from here. */
interface WorkerHost {
  open(playsOn: boolean): void;
  take(text: string): void;
  next(): string | undefined;
  kept(): string;
  put_file(name: string, text: string): void;
}

const ARCHIVE = "rulewright.zip";
const FOLDER = "/rulewright";

let host: Promise<(work: (host: WorkerHost) => void) => Promise<void>> | undefined;
let last: Promise<void> = Promise.resolve();

function tell(message: FromWorker): void {
  postMessage(message);
}

addEventListener("message", ({ data }: MessageEvent<Begin | string>) => {
  if (typeof data !== "string") {
    host = begun(data);
    queue((host) => host.open(data.playsOn));
  } else {
    queue((host) => host.take(data));
  }
});

/** One after the other: a host answers one request at a time. */
function queue(work: (host: WorkerHost) => void): void {
  last = last
    .then(async () => (await host)?.(work))
    .catch((error: unknown) => tell({ kind: "failed", sentence: String(error) }));
}

async function begun(begin: Begin): Promise<(work: (host: WorkerHost) => void) => Promise<void>> {
  const [python, archive, storage] = await Promise.all([
    pythonAt(new URL("pyodide/", begin.base)),
    fetched(new URL(ARCHIVE, begin.base)),
    Storage.open(begin.session),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  const path = python.pyimport("sys").path;
  path.insert(0, FOLDER);
  path.append(`${FOLDER}/libraries.zip`);
  const stop = begin.stop && new Int32Array(begin.stop);
  const made = python
    .pyimport("rulewright_tools.studio.browser")
    .WorkerHost(FOLDER, JSON.stringify(await storage.all()), stop, tell) as WorkerHost;
  storage.hear(({ name, text }) => {
    last = last.then(() => made.put_file(name, text));
  });
  tell({ kind: "ready" });
  return async (work) => {
    work(made);
    for (;;) {
      const text = made.next();
      await storage.keep(JSON.parse(made.kept())); // before the page is told: what it knows is never lost
      if (text === undefined) break;
      tell(text);
    }
    tell({ kind: "idle" });
  };
}

async function pythonAt(folder: URL): Promise<PyodideInterface> {
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
