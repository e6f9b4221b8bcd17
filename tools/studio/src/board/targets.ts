/** What is meant on a board: the answer nearest to the pointer, so that even thin edges are hit with a finger. */
import type { Point } from "./directions";

/** Pixels of the smallest target either way, and how far from an edge it is meant. */
const SMALLEST = 24;
export const REACH = { mouse: 14, touch: 28 };

/** The ends of the line that a thin rectangle is drawn around. */
function ends(element: SVGGraphicsElement): [Point, Point] | undefined {
  const numbers = element
    .getAttribute("d")
    ?.match(/-?[\d.]+/g)
    ?.map(Number);
  const matrix = element.getScreenCTM();
  if (numbers?.length !== 8 || !matrix) return undefined;
  const [x1, y1, x2, y2, x3, y3, x4, y4] = numbers as [number, number, number, number, number, number, number, number];
  const middle = (x: number, y: number) => new DOMPoint(x / 2, y / 2).matrixTransform(matrix);
  return [middle(x1 + x4, y1 + y4), middle(x2 + x3, y2 + y3)];
}

function toLine({ x, y }: Point, [one, other]: [Point, Point]): number {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const part = Math.max(0, Math.min(1, ((x - one.x) * dx + (y - one.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - one.x - part * dx, y - one.y - part * dy);
}

function toBox({ x, y }: Point, box: DOMRect): number {
  const [wide, high] = [Math.max(SMALLEST, box.width) / 2, Math.max(SMALLEST, box.height) / 2];
  const [dx, dy] = [Math.abs(x - box.x - box.width / 2), Math.abs(y - box.y - box.height / 2)];
  return dx > wide || dy > high ? Infinity : Math.hypot(dx, dy) / 1000; // inside of two: that whose middle is nearer
}

/** The answer on a board that is meant at a point; undefined if none is near enough. */
export function nearest(board: Element, at: Point, under: Element | null, reach: number): Element | undefined {
  if (under?.matches(".choosable:not(.edge)")) return under;
  let best: Element | undefined;
  let least = Infinity;
  for (const element of board.querySelectorAll<SVGGraphicsElement>(".thing.choosable")) {
    const line = element.classList.contains("edge") ? ends(element) : undefined;
    const far = line ? toLine(at, line) : toBox(at, element.getBoundingClientRect());
    if (far < least && far <= reach) [best, least] = [element, far];
  }
  return best;
}
