/** Options by the elements that they stand for. */
import type { Question } from "../protocol/messages";

export type Option = Question["options"][number];

/** For each element of the page the options that it stands for. */
export function byThing(options: readonly Option[]): Map<string, Option[]> {
  const found = new Map<string, Option[]>();
  for (const option of options) {
    for (const id of option.things) found.set(id, [...(found.get(id) ?? []), option]);
  }
  return found;
}

/** The options that stand for nothing on the page: they lie beside the board. */
export function beside(options: readonly Option[]): Option[] {
  return options.filter((option) => option.things.length === 0);
}

/** Lines of a log, of which the host has sent those from a number on. */
export function joined<T>(lines: readonly T[], from: number, more: readonly T[]): T[] {
  return [...lines.slice(0, from), ...more];
}
