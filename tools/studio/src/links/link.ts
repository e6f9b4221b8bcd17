/**
 * A variant in a link: the text of its file, compressed, behind the `#`, which no server ever sees.
 *
 * Nothing in a link is trusted: what is read from one is only text, until its reader wants to play by it.
 */

export interface Variant {
  /** The name of its file, without the ending; whoever takes it in makes a name of their own of it. */
  name: string;
  text: string;
}

/** What a link brings: a variant, or a sentence that says why it brings none. */
export type Linked = { variant: Variant } | { problem: string };

const KEY = "variant=";
/** Letters of a link; some programs cut longer ones off. */
export const LONGEST = 30_000;
/** Bytes of a file in a link, however well it was compressed. */
const LARGEST = 300_000;

const CUT = "This link is damaged: perhaps its end was cut off. Ask for it again, or for the file.";
const TOO_LONG = "This link is too long: ask for the file of the variant instead.";

/** The link by which somebody else plays by a variant; undefined if it is too long for one. */
export async function linkTo(page: string, variant: Variant): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify([variant.name, variant.text]));
  const packed = await all(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const link = new URL(page);
  link.hash = KEY + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  link.search = "";
  return link.href.length > LONGEST ? undefined : link.href;
}

/** What the part of an address behind the `#` brings; undefined if it is not about a variant. */
export async function linkedIn(hash: string): Promise<Linked | undefined> {
  const found = hash.replace(/^#/, "");
  if (!found.startsWith(KEY)) return undefined;
  const letters = found.slice(KEY.length);
  if (letters.length > LONGEST) return { problem: TOO_LONG };
  try {
    const packed = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const text = await all(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")), LARGEST);
    if (text.length > LARGEST) return { problem: TOO_LONG };
    return read(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)));
  } catch {
    return { problem: CUT };
  }
}

function read(found: unknown): Linked {
  if (!Array.isArray(found) || found.length !== 2) return { problem: CUT };
  const [name, text] = found as unknown[];
  if (typeof name !== "string" || !name || name.length > 200 || typeof text !== "string") return { problem: CUT };
  return { variant: { name, text } };
}

/** The name of the ruleset that a variant says it changes, as it is called in rules. */
export function changedBy(text: string): string | undefined {
  return /^variant\s+"[^"\n]*"\s+of\s+(\w+)/m.exec(text)?.[1];
}

/** All bytes of a stream, or some more than `most`: a short link may stand for gigabytes. */
async function all(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let size = 0; size <= most;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(new Uint8Array(value));
    size += value.length;
  }
  await reader.cancel();
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
