/** Sliders for parameters that are numbers. */
import type { Ruleset } from "../protocol/messages";

export interface Slider {
  name: string;
  title: string;
  /** What the rules say. */
  value: number;
  low: number;
  high: number;
}

const NUMBER = /^-?\d{1,6}$/;

/** A slider for each parameter that is a whole number: from half of it to twice as much, ten steps at least. */
export function slidersOf(parameters: Ruleset["parameters"]): Slider[] {
  return parameters
    .filter((one) => NUMBER.test(one.value) && one.values.every((value) => NUMBER.test(value)))
    .map((one) => {
      const value = Number(one.value);
      const all = one.values.map(Number);
      const low = all.length > 0 ? Math.min(...all) : value > 0 ? Math.floor(value / 2) : value - 5;
      const high = all.length > 0 ? Math.max(...all) : Math.max(2 * value, low + 10);
      return { name: one.name, title: one.name.replaceAll("_", " "), value, low, high };
    });
}

/** The values that differ from what the rules say. */
export function moved(sliders: readonly Slider[], values: Readonly<Record<string, number>>): Record<string, string> {
  const found = sliders.filter((one) => (values[one.name] ?? one.value) !== one.value);
  return Object.fromEntries(found.map((one) => [one.name, String(values[one.name])]));
}
