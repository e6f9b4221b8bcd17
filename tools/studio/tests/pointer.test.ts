import { expect, test } from "vitest";
import { follow, hasMoved } from "../src/board/pointer";

test("what is drawn under a pointer at rest is not pointed at", () => {
  follow({ clientX: 5, clientY: 7 });
  expect(hasMoved()).toBe(true);
  follow({ clientX: 5, clientY: 7 });
  expect(hasMoved()).toBe(false);
  follow({ clientX: 5, clientY: 8 });
  expect(hasMoved()).toBe(true);
});
