/** The worker in which the host runs: Pyodide with the same Python as behind the server. */
import { JobWorkers } from "./job-workers";
import type { Begin, FromWorker } from "./messages";
import { FOLDER, pythonOf } from "./python";
import { Storage } from "./storage";

/** `rulewright_tools.studio.browser.WorkerHost`, as it is seen from here. */
interface WorkerHost {
  open(playsOn: boolean): void;
  take(text: string): void;
  next(): string | undefined;
  kept(): string;
  put_file(name: string, text: string): void;
  job_said(id: number, kind: string, text: string): void;
}

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
  tell({ kind: "stage", words: "Python is loaded" });
  const [python, storage] = await Promise.all([pythonOf(begin.base), Storage.open(begin.session)]);
  tell({ kind: "stage", words: "The studio is put together" });
  const stop = begin.stop && new Int32Array(begin.stop);
  const jobs = new JobWorkers(begin.base, (id, { kind, text }) => made.job_said(id, kind, text));
  const made = python.pyimport("rulewright_tools.studio.browser").WorkerHost(
    FOLDER,
    JSON.stringify(await storage.all()),
    stop,
    tell,
    (id: number, words: string, files: string) => jobs.begin(id, words, files),
    (id: number) => jobs.end(id),
  ) as WorkerHost;
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
