/** Pieces on their way: what has gone from one place and come to another is seen to move. */
import { motion } from "../preferences.svelte";

interface Lying {
  element: Element;
  /** What it lies on: a place of the board, or a supply. */
  where: string;
  box: DOMRect;
}

/** Pieces that look alike, once for each of them. */
export type Seen = Map<string, Lying[]>;

const MILLISECONDS = 260;
/** When more than so many have moved, another position is shown rather than a move. */
const MOST = 12;

export function wantsMotion(): boolean {
  return motion.now !== "no" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** All pieces in the page that can be told from others. */
export function seen(): Seen {
  const found: Seen = new Map();
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>(".playing [data-piece]")) {
    const { piece = "", where = "", count = "1" } = element.dataset;
    const box = element.getBoundingClientRect();
    const lying = Array.from({ length: Math.min(MOST + 1, Number(count)) }, () => ({ element, where, box }));
    if (piece) found.set(piece, [...(found.get(piece) ?? []), ...lying]);
  }
  return found;
}

/** Which pieces were elsewhere before: from where to where. */
export function moves(before: Seen, after: Seen): [Lying, Lying][] {
  const found: [Lying, Lying][] = [];
  for (const [piece, now] of after) {
    const gone = [...(before.get(piece) ?? [])];
    const come = now.filter(({ where }) => {
      const stays = gone.findIndex((one) => one.where === where);
      if (stays >= 0) gone.splice(stays, 1);
      return stays < 0;
    });
    for (const to of come) {
      const far = gone.map(({ box }) => Math.hypot(box.x - to.box.x, box.y - to.box.y));
      const [from] = gone.splice(far.indexOf(Math.min(...far)), 1);
      if (from) found.push([from, to]);
    }
  }
  return found;
}

/** A picture of something in the page that lies above all, where that lies. */
export function ghost(...elements: Element[]): HTMLElement {
  const frame = document.createElement("div");
  frame.className = "ghost";
  for (const element of elements) {
    const { x, y, width, height } = element.getBoundingClientRect();
    const copy = element.cloneNode(true) as HTMLElement | SVGElement;
    copy.removeAttribute("data-piece");
    let picture = copy;
    if (element instanceof SVGGraphicsElement && copy instanceof SVGElement) {
      const box = element.getBBox();
      picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      picture.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
      picture.append(copy);
    }
    for (const one of [copy, ...copy.querySelectorAll("[id]")]) one.removeAttribute("id");
    Object.assign(picture.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    frame.append(picture);
  }
  document.body.append(frame);
  return frame;
}

/** Show what has moved since. */
export function animate(before: Seen): void {
  const found = moves(before, seen());
  if (found.length > MOST) return;
  for (const [from, to] of found) {
    const element = to.element as HTMLElement | SVGElement;
    const moving = ghost(element);
    element.style.opacity = "0";
    const way = `translate(${from.box.x - to.box.x}px, ${from.box.y - to.box.y}px)`;
    const ended = () => {
      moving.remove();
      element.removeAttribute("style");
    };
    moving
      .animate([{ transform: way }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" })
      .finished.then(ended, ended);
  }
}
