/** The host in a worker of this browser: carries texts to it, and stops it when it does not stop by itself. */
import type { Connection } from "../protocol/client";
import { sessionName } from "../protocol/session";
import type { Begin, FromWorker } from "./messages";

const STOPPED = 2;
/** Milliseconds that a host has to stop by itself. */
const GRACE = 1500;
/** Milliseconds without a word from a host that works: its own limits are tighter. */
const SILENT = 45_000;

interface Message {
  id?: number;
  method?: string;
  params?: { id?: number };
}

export class WorkerCarrier implements Connection {
  onText: (text: string) => void = () => undefined;
  onOpen: () => void = () => undefined;
  onLost: (sentence: string) => void = () => undefined;
  onStage: (words: string) => void = () => undefined;
  private worker: Worker | undefined;
  /** Requests that were not answered, by their ids. */
  private readonly waiting = new Map<number, string>();
  /** Messages that the worker has not been done with. */
  private working = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop = globalThis.crossOriginIsolated ? new SharedArrayBuffer(4) : undefined;

  constructor(
    private readonly storage: Storage = sessionStorage,
    private readonly make: () => Worker = made,
  ) {}

  async open(): Promise<void> {
    const session = await ownSession(this.storage);
    this.begin(session, true);
  }

  send(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.method === "cancel") {
      const id = message.params?.id;
      if (id === undefined ? this.working > 0 : this.waiting.has(id)) this.cancel();
      return;
    }
    if (message.id !== undefined) this.waiting.set(message.id, message.method ?? "");
    this.give(text);
  }

  private begin(session: string, playsOn: boolean): void {
    const worker = (this.worker = this.make());
    if (this.stop) new Int32Array(this.stop)[0] = 0;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (worker === this.worker) this.take(data, session);
    };
    worker.onerror = (event) => this.onLost(failure(event.message || "its worker cannot be loaded"));
    this.working = 1;
    const base = new URL("./", document.baseURI).href;
    worker.postMessage({ kind: "begin", base, session, stop: this.stop, playsOn } satisfies Begin);
  }

  private give(text: string): void {
    this.working++;
    this.watch(SILENT);
    this.worker?.postMessage(text);
  }

  private take(data: FromWorker, session: string): void {
    if (typeof data === "string") {
      const { id } = JSON.parse(data) as Message;
      if (id !== undefined) this.waiting.delete(id);
      this.watch(SILENT);
      this.onText(data);
    } else if (data.kind === "stage") {
      this.onStage(data.words);
    } else if (data.kind === "ready") {
      this.onStage("");
      this.restart = () => this.again(session);
      this.onOpen();
    } else if (data.kind === "idle") {
      this.working--;
      if (this.stop) new Int32Array(this.stop)[0] = 0;
      if (this.working === 0) this.watch(0);
    } else {
      this.onLost(failure(data.sentence));
    }
  }

  /** Stop what is asked: the host sees it in shared memory; without that, or if it is deaf, another takes its place. */
  private cancel(): void {
    if (this.stop) new Int32Array(this.stop)[0] = 1;
    this.watch(this.stop ? GRACE : 1);
  }

  private watch(time: number): void {
    clearTimeout(this.timer);
    if (time > 0) this.timer = setTimeout(() => this.restart?.(), time);
  }

  private restart: (() => void) | undefined;

  /** Another worker, which takes the game up from what was kept. */
  private again(session: string): void {
    this.worker?.terminate();
    this.watch(0);
    this.restart = undefined;
    this.begin(session, false); // what was stopped is not begun again
    for (const id of this.waiting.keys()) {
      const error = { code: STOPPED, message: "stopped before it was done" };
      this.onText(JSON.stringify({ jsonrpc: "2.0", id, error }));
    }
    this.waiting.clear();
  }
}

function made(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

function failure(reason: string): string {
  return `The studio cannot be opened in this browser: ${reason}`;
}

/** The name of this window's game; a copy of a window, which has the name as well, gets a game of its own. */
async function ownSession(storage: Storage): Promise<string> {
  const name = sessionName(storage, false);
  if (await locked(name)) return name;
  const other = sessionName(storage, true);
  await locked(other);
  return other;
}

/** True if no other window has the name; then this one has it as long as it is open. */
async function locked(name: string): Promise<boolean> {
  if (!("locks" in navigator)) return true; // over plain http
  return new Promise((resolve) => {
    void navigator.locks.request(`rulewright ${name}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(() => undefined) : undefined;
    });
  });
}
