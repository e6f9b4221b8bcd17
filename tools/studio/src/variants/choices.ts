/** Variants and parameters as they are switched. */

/** The variants with one more, or without it, in the order in which the rules list them. */
export function withVariant(known: readonly string[], chosen: readonly string[], title: string): string[] {
  const wanted = new Set(chosen);
  if (!wanted.delete(title)) wanted.add(title);
  return known.filter((one) => wanted.has(one));
}

/** The chosen variant with which this one cannot be played; undefined if it may be ticked. */
export function excludedBy(
  excludes: Readonly<Record<string, readonly string[]>>,
  chosen: readonly string[],
  title: string,
): string | undefined {
  return chosen.includes(title) ? undefined : excludes[title]?.find((one) => chosen.includes(one));
}

/** The values of parameters with another one; an empty value leaves it to the rules. */
export function withOption(
  options: Readonly<Record<string, string>>,
  name: string,
  value: string,
): Record<string, string> {
  const others = Object.entries(options).filter(([one]) => one !== name);
  return Object.fromEntries(value === "" ? others : [...others, [name, value]]);
}
