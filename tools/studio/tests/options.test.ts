import { expect, test } from "vitest";
import { chosenThings, otherParts } from "../src/game/options";

const option = (key: string, ...things: string[]) => ({ key, label: key, word: things.length === 0, things });

test("parts of an answer: what is chosen, and what would be another choice, of the last part first", () => {
  const parts = [
    { at: 2, key: "province", options: [option("court"), option("province")] },
    { at: 1, key: "red", options: [option("red", "p-1", "p-2"), option("blue", "p-3"), option("green", "p-4")] },
  ];
  expect([...chosenThings(parts)]).toEqual(["p-1", "p-2"]);
  expect([...otherParts(parts)].map(([id, { at, option }]) => [id, at, option.key])).toEqual([
    ["p-3", 1, "blue"],
    ["p-4", 1, "green"],
  ]);
});
