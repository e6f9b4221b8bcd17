import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Busy } from "../src/game/busy.svelte";

describe("what the host is at", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is named when it takes longer than a moment, until it is done", () => {
    const busy = new Busy();
    const done = busy.begin("game/start");
    vi.advanceTimersByTime(400);
    expect(busy.does).toBe("");
    vi.advanceTimersByTime(200);
    expect(busy.does).toContain("rules are read");
    done();
    expect(busy.does).toBe("");
  });

  it("is not named when it was quick, or is what the page does by itself", () => {
    const busy = new Busy();
    busy.begin("game/answer")();
    busy.begin("game/show");
    vi.advanceTimersByTime(9000);
    expect(busy.does).toBe("");
  });
});
