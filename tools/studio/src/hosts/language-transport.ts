/** The way to the language server in a worker of this browser. */
import type { OpenTransport } from "../editor/transport";
import type { BeginLanguage, FromWorker } from "./messages";

export function workerTransport(make: () => Worker = made): OpenTransport {
  return (lost) =>
    new Promise((resolve, reject) => {
      const worker = make();
      const handlers = new Set<(text: string) => void>();
      const end = (): void => {
        worker.terminate();
        reject(new Error("the language server does not answer"));
        lost();
      };
      worker.onerror = end;
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (typeof data === "string") for (const handler of handlers) handler(data);
        else if (data.kind === "failed") end();
        else
          resolve({
            send: (text) => worker.postMessage(text),
            subscribe: (handler) => void handlers.add(handler),
            unsubscribe: (handler) => void handlers.delete(handler),
          });
      };
      worker.postMessage({ kind: "language", base: new URL("./", document.baseURI).href } satisfies BeginLanguage);
    });
}

function made(): Worker {
  return new Worker(new URL("./language-worker.ts", import.meta.url), { type: "module" });
}
