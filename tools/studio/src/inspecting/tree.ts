/** Data of a position as a tree: what is alike in a list is told once, with its number. */

export interface Branch {
  name: string;
  /** What it is, if there is nothing below it. */
  text?: string;
  branches: Branch[];
}

export function branch(name: string, value: unknown): Branch {
  if (Array.isArray(value)) return { name, ...listed(value) };
  if (value !== null && typeof value === "object") {
    const branches = Object.entries(value).map(([key, one]) => branch(key, one));
    return branches.length > 0 ? { name, branches } : { name, text: "nothing", branches };
  }
  return { name, text: told(value), branches: [] };
}

/** A list of plain values in one line, of others entry by entry. */
function listed(values: readonly unknown[]): { text?: string; branches: Branch[] } {
  const texts = values.map((value) => plain(value));
  if (texts.every((text) => text !== undefined)) return { text: counted(texts) || "nothing", branches: [] };
  return { branches: values.map((value, number) => branch(String(number + 1), value)) };
}

/** A value that has its place in a line: pieces of which only the name is told are plain, too. */
function plain(value: unknown): string | undefined {
  if (value === null || typeof value !== "object") return told(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return "not seen";
  const [first, ...others] = entries;
  if (first?.[0] !== "key" || others.length > 0) return undefined;
  return typeof first[1] === "object" ? undefined : told(first[1]);
}

function counted(texts: readonly string[]): string {
  const numbers = new Map<string, number>();
  for (const text of texts) numbers.set(text, (numbers.get(text) ?? 0) + 1);
  return [...numbers].map(([text, number]) => (number > 1 ? `${text} × ${number}` : text)).join(", ");
}

function told(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value as string | number);
}
