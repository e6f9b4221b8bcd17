/** The workers of jobs, by the numbers of these. They end with the worker of the host, which begins them. */
import type { BeginJob, FromJob } from "./messages";

export class JobWorkers {
  private readonly running = new Map<number, Worker>();

  constructor(
    private readonly base: string,
    private readonly heard: (id: number, message: FromJob) => void,
    private readonly make: () => Worker = made,
  ) {}

  begin(id: number, words: string, files: string): void {
    const worker = this.make();
    this.running.set(id, worker);
    worker.onmessage = ({ data }: MessageEvent<FromJob>) => this.heard(id, data);
    worker.onerror = (event) =>
      this.heard(id, { kind: "broken", text: `${event.message || "its worker has ended"}\n` });
    worker.postMessage({ base: this.base, words, files } satisfies BeginJob);
  }

  end(id: number): void {
    this.running.get(id)?.terminate();
    this.running.delete(id);
  }
}

function made(): Worker {
  return new Worker(new URL("./job-worker.ts", import.meta.url), { type: "module" });
}
