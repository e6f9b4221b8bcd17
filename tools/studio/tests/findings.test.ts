import { describe, expect, it } from "vitest";
import { findings } from "../src/variants/findings";

const TEXT = `A  base: Coin, 2 players
                 A       B
decisions        3.00    4.00   * +1.00  (+1.00 … +1.00)

Sure: decisions a game: 4.0 instead of 3.0.
Not sure: the first player wins (a difference of 9 of 100 would have been seen); ties (so few games).

In numbers: decisions a game +1.00 to +1.00 (95 % interval of the difference).
`;

describe("the findings of an experiment", () => {
  it("are the sentences for players, sure ones first", () => {
    expect(findings(TEXT)).toEqual([
      { text: "decisions a game: 4.0 instead of 3.0", sure: true },
      { text: "the first player wins (a difference of 9 of 100 would have been seen)", sure: false },
      { text: "ties (so few games)", sure: false },
    ]);
    expect(findings("x\n\nNo difference is sure: chance can do as much.\n")).toEqual([
      { text: "No difference is sure: chance can do as much.", sure: false },
    ]);
    expect(findings("")).toEqual([]);
  });
});
