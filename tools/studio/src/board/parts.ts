/** Boards as the host tells them: new parts, and which of those that were told before stay. */
import type { KeptParts, Shown, Thing } from "../protocol/messages";

export interface BoardParts {
  number: number;
  /** SVG with a group for each layer, which is empty; nothing if the game has no map. */
  frame: string;
  /** Elements of each layer, as SVG. The last one has an element for each thing. */
  layers: string[][];
  things: Thing[];
}

/** The board that is told; undefined if the one is not here by which it is. */
export function joinedBoard(before: BoardParts | undefined, told: Shown["board"]): BoardParts | undefined {
  const { number, base, frame } = told;
  if (base !== null && before?.number !== base) return undefined;
  const had = base === null ? undefined : before;
  const layers = told.layers.map((layer, at) => joinedParts<string>(had?.layers[at] ?? [], layer));
  const things = joinedParts<Thing>(had?.things ?? [], told.things);
  if (!things || !layers.every((layer) => layer !== undefined)) return undefined;
  return { number, frame, layers, things };
}

/** All parts; undefined if some are said to stay that are not there. */
export function joinedParts<T extends string | object>(
  before: readonly T[],
  told: readonly (T | KeptParts)[],
): T[] | undefined {
  const parts: T[] = [];
  for (const one of told) {
    if (!Array.isArray(one)) {
      parts.push(one as T);
      continue;
    }
    const [first, count] = one as KeptParts;
    if (first + count > before.length) return undefined;
    parts.push(...before.slice(first, first + count));
  }
  return parts;
}
