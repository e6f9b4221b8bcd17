import { describe, expect, it } from "vitest";
import { givesForced, keepForced } from "../src/game/forced";
import type { Table } from "../src/protocol/messages";

const table = (seats: string[]) =>
  ({ seats, people: ["red", "blue"].map((seat) => ({ seat, kind: "person" })) }) as unknown as Table;

describe("an only answer", () => {
  it("is given by itself where nobody else waits, unless something else is wished", () => {
    const kept = new Map<string, string>();
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
    const both = () => [table(["red", "blue"]), table(["red"])].map((one) => givesForced(storage, one));
    expect(both()).toEqual([true, false]);
    keepForced(storage, true);
    expect(both()).toEqual([true, true]);
    keepForced(storage, false);
    expect(both()).toEqual([false, false]);
  });
});
