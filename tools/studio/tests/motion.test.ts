import { expect, test } from "vitest";
import { moves, type Seen } from "../src/board/motion";

function seen(...pieces: [piece: string, where: string, x: number][]): Seen {
  const found: Seen = new Map();
  for (const [piece, where, x] of pieces) {
    const lying = { element: document.body, where, box: new DOMRect(x, 0, 10, 10) };
    found.set(piece, [...(found.get(piece) ?? []), lying]);
  }
  return found;
}

function ways(before: Seen, after: Seen): string[] {
  return moves(before, after).map(([from, to]) => `${from.where} ${to.where}`);
}

test("what stays does not move, and what is alike has come from the nearest place", () => {
  const before = seen(["white", "a", 0], ["white", "b", 10], ["white", "c", 20], ["black", "d", 30]);
  const after = seen(["white", "a", 0], ["white", "e", 12], ["white", "c", 20], ["black", "d", 30]);
  expect(ways(before, after)).toEqual(["b e"]);
  expect(ways(before, before)).toEqual([]);
});

test("what has come from nowhere does not move", () => {
  expect(ways(seen(["white", "a", 0]), seen(["white", "a", 0], ["white", "b", 9], ["black", "c", 9]))).toEqual([]);
});

test("several that lay together are counted", () => {
  const before = seen(["knight", "stock", 0], ["knight", "stock", 0], ["knight", "stock", 0]);
  const after = seen(["knight", "stock", 0], ["knight", "a", 50], ["knight", "b", 90]);
  expect(ways(before, after)).toEqual(["stock a", "stock b"]);
});
