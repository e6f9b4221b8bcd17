import { describe, expect, it } from "vitest";
import { isArrow, next, type Arrow } from "../src/board/directions";

const grid = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ x: x * 40, y: y * 40 })));

describe("arrow keys", () => {
  it.each<[Arrow, number]>([
    ["ArrowUp", 1],
    ["ArrowDown", 7],
    ["ArrowLeft", 3],
    ["ArrowRight", 5],
  ])("%s goes to the neighbour on a grid", (arrow, to) => {
    expect(next(grid, 4, arrow)).toBe(to);
  });

  it("stay where nothing lies ahead", () => {
    expect(next(grid, 2, "ArrowRight")).toBe(-1);
    expect(next([], 0, "ArrowUp")).toBe(-1);
  });

  it("reach every place of a ring", () => {
    const ring = Array.from({ length: 15 }, (_, n) => ({
      x: 300 * Math.sin((2 * Math.PI * n) / 15),
      y: -300 * Math.cos((2 * Math.PI * n) / 15),
    }));
    const reached = new Set([0]);
    for (const from of reached) {
      for (const arrow of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const) {
        const to = next(ring, from, arrow);
        if (to >= 0) reached.add(to);
      }
    }
    expect(reached.size).toBe(15);
  });

  it("are four keys", () => {
    expect(["ArrowUp", "Enter", "toString"].filter(isArrow)).toEqual(["ArrowUp"]);
  });
});
