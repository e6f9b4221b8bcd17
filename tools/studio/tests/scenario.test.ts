import { describe, expect, it } from "vitest";
import type { Line } from "../src/protocol/messages";
import { startingPlaces } from "../src/proving/scenario";

const line = (at: number, text: string): Line => ({ at, text, kind: "answer", cites: [] });

describe("positions at which a scenario can begin", () => {
  it("are the start, and those on the way by the last sentence that has led there", () => {
    const log = [line(0, "dealt"), line(1, "x: a"), line(1, "x gains 2"), line(2, "o: b")];
    expect(startingPlaces(log, 1)).toEqual([
      { at: 0, text: "the start of the game" },
      { at: 1, text: "after: x gains 2" },
    ]);
    expect(startingPlaces(log, 2).map((one) => one.at)).toEqual([0, 1, 2]);
  });
  it("have short names", () => {
    expect([...(startingPlaces([line(1, "x".repeat(300))], 1)[1]?.text ?? "")].length).toBe(67);
  });
});
