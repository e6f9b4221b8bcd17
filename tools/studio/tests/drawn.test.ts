import { describe, expect, it } from "vitest";
import { DrawnBoard, type Part } from "../src/board/drawn";
import { joinedBoard, joinedParts } from "../src/board/parts";
import { UnsafePicture } from "../src/board/picture";
import type { Shown } from "../src/protocol/messages";

const FRAME = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g/><g id="things"/></svg>';

function circle(radius: number, state = ""): Part {
  return { text: `<circle r="${radius}"/>`, state, dress: (element) => element.setAttribute("class", state) };
}

describe("parts of a board", () => {
  const whole = { number: 1, base: null, frame: FRAME, layers: [["a", "b", "c"], []], things: [] };

  it("stay where the host says so", () => {
    const first = joinedBoard(undefined, whole);
    const layers: Shown["board"]["layers"] = [[[1, 2], "d", [0, 1]], ["e"]];
    expect(joinedBoard(first, { ...whole, number: 2, base: 1, layers })?.layers).toEqual([["b", "c", "d", "a"], ["e"]]);
  });

  it("are asked for if they are not there", () => {
    const first = joinedBoard(undefined, whole);
    expect(joinedBoard(first, { ...whole, base: 7 })).toBeUndefined();
    expect(joinedBoard(undefined, { ...whole, base: 1 })).toBeUndefined();
    expect(joinedBoard(first, { ...whole, base: 1, layers: [[[2, 2]], []] })).toBeUndefined();
    expect(joinedParts(["a"], [[0, 2]])).toBeUndefined();
  });
});

describe("a board in the page", () => {
  it("is what it would be if it were drawn anew, whatever follows on what", () => {
    const drawn = new DrawnBoard();
    let seed = 1;
    const draw = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 25; round++) {
      const layers = [0, 1].map(() => Array.from({ length: draw(7) }, () => circle(draw(5), `s${draw(2)}`)));
      expect(drawn.draw(FRAME, layers).isEqualNode(new DrawnBoard().draw(FRAME, layers))).toBe(true);
    }
  });

  it("keeps elements that stay the same", () => {
    const drawn = new DrawnBoard();
    const [one, two, three] = drawn.draw(FRAME, [[circle(1), circle(2), circle(3)], []]).querySelectorAll("circle");
    const after = drawn.draw(FRAME, [[circle(4), circle(2), circle(3, "new")], []]).querySelectorAll("circle");
    expect(after[1]).toBe(two);
    expect([one, three]).not.toContain(after[0]);
    expect(after[2]).not.toBe(three);
  });

  it("is refused if there is anything else in a part, and then drawn anew", () => {
    const drawn = new DrawnBoard();
    const [one] = drawn.draw(FRAME, [[circle(1)], []]).querySelectorAll("circle");
    for (const text of ["<script>alert(1)</script>", "</svg><svg>", "<g/><g/>", "plain", '<g onclick="a()"/>']) {
      expect(() => drawn.draw(FRAME, [[{ text }], []])).toThrow(UnsafePicture);
    }
    expect(() => drawn.draw(FRAME, [[]])).toThrow(UnsafePicture);
    expect(drawn.draw(FRAME, [[circle(1)], []]).querySelector("circle")).not.toBe(one);
  });
});
