/** The picture of a board in the page. Of one that follows on it, only elements that are different are made anew. */
import { picture, UnsafePicture } from "./picture";

const SVG = "http://www.w3.org/2000/svg";

export interface Part {
  /** The element, as SVG. */
  text: string;
  /** Whatever else decides what the element is like. */
  state?: string;
  /** Makes of an element as it is drawn what it is in the page. */
  dress?: (element: Element) => void;
}

export class DrawnBoard {
  private frame = "";
  private root: SVGSVGElement | undefined;
  private layers: Map<string, Element[]>[] = [];

  /** The picture, in a frame that has a group for each layer; UnsafePicture if anything else is in it. */
  draw(frame: string, layers: readonly (readonly Part[])[]): SVGSVGElement {
    let root = this.root;
    if (!root || frame !== this.frame) {
      root = picture(frame);
      this.layers = [];
    }
    const groups = [...root.children].filter((child) => child.localName === "g");
    if (groups.length !== layers.length) throw new UnsafePicture("it has not as many layers as it should");
    this.root = undefined; // whatever goes wrong now, the next picture is begun anew
    this.layers = layers.map((parts, at) => patched(groups[at] as Element, this.layers[at] ?? new Map(), parts));
    this.frame = frame;
    return (this.root = root);
  }
}

/** Fill a layer in which the elements of another one are; the elements by their keys. */
function patched(group: Element, before: Map<string, Element[]>, parts: readonly Part[]): Map<string, Element[]> {
  const keys = parts.map(({ text, state }) => `${text}\n${state ?? ""}`);
  const elements = keys.map((key) => before.get(key)?.shift());
  for (const unused of before.values()) unused.forEach((element) => element.remove());
  const fresh = made(parts.filter((_, at) => !elements[at]).map(({ text }) => text));
  const after = new Map<string, Element[]>();
  let next = group.firstElementChild;
  parts.forEach((part, at) => {
    let element = elements[at];
    if (!element) {
      element = fresh.shift() as Element;
      part.dress?.(element);
    }
    if (element === next) next = next.nextElementSibling;
    else group.insertBefore(element, next);
    const key = keys[at] as string;
    const alike = after.get(key);
    if (alike) alike.push(element);
    else after.set(key, [element]);
  });
  return after;
}

function made(texts: readonly string[]): Element[] {
  if (texts.length === 0) return [];
  const elements = [...picture(`<svg xmlns="${SVG}">${texts.join("")}</svg>`).children];
  if (elements.length !== texts.length) throw new UnsafePicture("its parts are not elements");
  return elements;
}
