import { describe, expect, it } from "vitest";
import { workerTransport } from "../src/hosts/language-transport";
import type { FromWorker } from "../src/hosts/messages";

class FakeWorker {
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: (() => void) | null = null;
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

function opened() {
  const worker = new FakeWorker();
  const lost: string[] = [];
  const transport = workerTransport(() => worker as unknown as Worker)(() => lost.push("lost"));
  return { worker, lost, transport };
}

describe("the way to the language server in a worker", () => {
  it("is there when the server is, and carries texts both ways", async () => {
    const { worker, lost, transport } = opened();
    expect(worker.got).toMatchObject([{ kind: "language" }]);
    worker.say({ kind: "ready" });
    const heard: string[] = [];
    const hear = (text: string) => void heard.push(text);
    const found = await transport;
    found.subscribe(hear);
    found.send("asked");
    worker.say("answered");
    found.unsubscribe(hear);
    worker.say("nobody hears this");
    expect([worker.got[1], heard, lost]).toEqual(["asked", ["answered"], []]);
  });

  it("ends with a server that fails, at its beginning or later", async () => {
    const first = opened();
    first.worker.onerror?.();
    await expect(first.transport).rejects.toThrow("does not answer");
    const second = opened();
    second.worker.say({ kind: "ready" });
    await second.transport;
    second.worker.say({ kind: "failed", sentence: "no memory" });
    expect([first.lost, second.lost, second.worker.ended]).toEqual([["lost"], ["lost"], true]);
  });
});
