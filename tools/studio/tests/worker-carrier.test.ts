import { beforeEach, describe, expect, it, vi } from "vitest";
import { WorkerCarrier } from "../src/hosts/worker-carrier";
import type { Begin, FromWorker } from "../src/hosts/messages";

class FakeWorker {
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  got: unknown[] = [];
  ended = false;
  postMessage(message: unknown): void {
    this.got.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  say(data: FromWorker): void {
    this.onmessage?.({ data });
  }
}

const ask = (id: number, method = "game/hint") => JSON.stringify({ jsonrpc: "2.0", id, method, params: {} });
const cancel = (id: number) => JSON.stringify({ jsonrpc: "2.0", method: "cancel", params: { id } });

describe("the worker's carrier", () => {
  let made: FakeWorker[];
  let carrier: WorkerCarrier;
  let heard: { id?: number; error?: { code: number } }[];

  beforeEach(async () => {
    vi.useFakeTimers();
    sessionStorage.clear();
    made = [];
    heard = [];
    carrier = new WorkerCarrier(sessionStorage, () => {
      const worker = new FakeWorker();
      made.push(worker);
      return worker as unknown as Worker;
    });
    carrier.onText = (text) => heard.push(JSON.parse(text));
    await carrier.open();
    made[0]?.say({ kind: "ready" });
    made[0]?.say({ kind: "idle" });
  });

  it("ends a worker that cannot be asked to stop, and begins another with the same game", () => {
    carrier.send(ask(1));
    carrier.send(cancel(1));
    vi.advanceTimersByTime(10);
    expect(made.map((worker) => worker.ended)).toEqual([true, false]);
    expect(made[1]?.got[0]).toEqual({ ...(made[0]?.got[0] as Begin), playsOn: false });
    expect(heard.map(({ id, error }) => [id, error?.code])).toEqual([[1, 2]]);
    made[0]?.say(JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }));
    expect(heard).toHaveLength(1);
  });

  it("stops what a worker does of its own accord after it has answered", () => {
    carrier.send(ask(1, "game/answer"));
    made[0]?.say(JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }));
    carrier.send(JSON.stringify({ jsonrpc: "2.0", method: "cancel", params: {} }));
    vi.advanceTimersByTime(10);
    expect(made).toHaveLength(2);
  });

  it("leaves a worker alone that has nothing to do, or answers", () => {
    carrier.send(cancel(7));
    carrier.send(ask(1));
    made[0]?.say(JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }));
    made[0]?.say({ kind: "idle" });
    carrier.send(cancel(1));
    vi.advanceTimersByTime(200_000);
    expect(made).toHaveLength(1);
  });

  it("ends a worker that has not said a word for long", () => {
    carrier.send(ask(1));
    vi.advanceTimersByTime(30_000);
    made[0]?.say(JSON.stringify({ jsonrpc: "2.0", method: "game/shown", params: {} }));
    vi.advanceTimersByTime(30_000);
    expect(made).toHaveLength(1);
    vi.advanceTimersByTime(30_000);
    expect(made).toHaveLength(2);
  });

  it("tells what is wrong if the worker cannot begin", () => {
    let told = "";
    carrier.onLost = (sentence) => (told = sentence);
    made[0]?.say({ kind: "failed", sentence: "no WebAssembly" });
    expect(told).toContain("no WebAssembly");
  });

  it("says what the worker is at until the host is there", () => {
    const stages: string[] = [];
    carrier.onStage = (words) => stages.push(words);
    made[0]?.say({ kind: "stage", words: "Python is loaded" });
    made[0]?.say({ kind: "ready" });
    expect(stages).toEqual(["Python is loaded", ""]);
  });
});
