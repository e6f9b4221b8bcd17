import { describe, expect, it } from "vitest";
import { kindName } from "../src/table/occupants";

describe("a kind of player", () => {
  it("is told by its strength, or as it was written", () => {
    expect(["middle (mcts:340)", "mcts:4x1000", "person", "random"].map(kindName)).toEqual([
      "middle",
      "mcts:4x1000",
      "person",
      "random",
    ]);
  });
});
