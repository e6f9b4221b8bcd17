/** Options by the elements that they stand for. */
import type { Question } from "../protocol/messages";

export type Option = Question["options"][number];
type Parts = Question["earlier"];

/** For each element of the page the options that it stands for. */
export function byThing(options: readonly Option[]): Map<string, Option[]> {
  const found = new Map<string, Option[]>();
  for (const option of options) {
    for (const id of option.things) found.set(id, [...(found.get(id) ?? []), option]);
  }
  return found;
}

/** For each element what it would stand for in parts of the answer that are given: the last part goes before others. */
export function otherParts(parts: Parts): Map<string, { at: number; option: Option }> {
  const found = new Map<string, { at: number; option: Option }>();
  for (const { at, key, options } of [...parts].reverse()) {
    for (const option of options) if (option.key !== key) for (const id of option.things) found.set(id, { at, option });
  }
  return found;
}

/** The elements that stand for the parts of the answer that are given. */
export function chosenThings(parts: Parts): Set<string> {
  const given = parts.flatMap(({ key, options }) => options.filter((option) => option.key === key));
  return new Set(given.flatMap(({ things }) => things));
}

/** The options that stand for nothing on the page: they lie beside the board. */
export function beside(options: readonly Option[]): Option[] {
  return options.filter((option) => option.things.length === 0);
}

/** Lines of a log, of which the host has sent those from a number on. */
export function joined<T>(lines: readonly T[], from: number, more: readonly T[]): T[] {
  return [...lines.slice(0, from), ...more];
}
