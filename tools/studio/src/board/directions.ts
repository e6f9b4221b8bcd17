/** The way from thing to thing with the arrow keys: to the nearest one that lies in that direction. */

export interface Point {
  x: number;
  y: number;
}

export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

const WAYS: Record<Arrow, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** What lies aside counts so many times what lies ahead. */
const ASIDE = 2.5;

export function isArrow(key: string): key is Arrow {
  return Object.hasOwn(WAYS, key);
}

/**
 * The number of the point to go to; -1 if nothing lies there. Points within a quarter turn of the direction are looked
 * at first; where there is none, the nearest one that lies that way at all, so that every point can be reached.
 */
export function next(points: readonly Point[], from: number, arrow: Arrow): number {
  const here = points[from];
  if (!here) return points.length > 0 ? 0 : -1;
  const way = WAYS[arrow];
  let best = -1;
  let least = Infinity;
  points.forEach((point, number) => {
    const dx = point.x - here.x;
    const dy = point.y - here.y;
    const ahead = dx * way.x + dy * way.y;
    const aside = Math.abs(dx * way.y) + Math.abs(dy * way.x);
    if (number === from || ahead <= 0.5) return;
    const far = ahead + ASIDE * aside + (aside > ahead ? 10_000 : 0);
    if (far < least) [least, best] = [far, number];
  });
  return best;
}
