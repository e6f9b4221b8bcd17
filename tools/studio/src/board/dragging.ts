/** Pieces and cards that are dragged: taken up they are chosen, and let fall on an answer they give it. */
import { tick } from "svelte";
import type { Action } from "svelte/action";
import type { Game } from "../game/game.svelte";
import { ghost } from "./motion";
import { nearest, REACH } from "./targets";

/** Pixels that a pointer moves before something is dragged. */
const STARTS = 7;

interface Drag {
  from: PointerEvent;
  source: Element;
  held: Element[];
  /** The picture that follows the pointer, as soon as it has moved. */
  picture?: HTMLElement;
  /** Until the answer that the piece stands for is given. */
  taken?: Promise<unknown>;
}

/** What a person sees of something that they take up: the pieces on a place, a card, the disc of a seat. */
function held(source: Element): Element[] {
  if (!source.matches(".thing")) return [source];
  const lying = [...document.querySelectorAll(".board [data-piece]")];
  return lying.filter((one) => one.matches(`[data-id='${source.id}'], [data-where='${source.id}']`));
}

/** The answer at a point, on the board or beside it. */
function answerAt(x: number, y: number, touch: boolean): Element | null {
  const under = document.elementFromPoint(x, y);
  const board = under?.closest(".board");
  if (!board) return under?.closest(".choosable") ?? null;
  return nearest(board, { x, y }, under, touch ? REACH.touch : REACH.mouse) ?? null;
}

export const dragging: Action<HTMLElement, Game> = (table, game) => {
  let drag: Drag | undefined;
  let dropped = false;

  function down(event: PointerEvent): void {
    dropped = false;
    if (!event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
    const source = event.target.closest(".movable");
    const lifted = source ? held(source) : [];
    if (!source || lifted.length === 0) return;
    drag = { from: event, source, held: lifted };
  }

  function move(event: PointerEvent): void {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.from.clientX, event.clientY - drag.from.clientY];
    if (!drag.picture) {
      if (Math.hypot(dx, dy) < STARTS) return;
      drag.picture = ghost(...drag.held);
      table.classList.add("dragging");
      table.setPointerCapture(event.pointerId); // what was taken up is perhaps drawn anew
      const { id } = drag.source;
      if (game.offered.has(id) || game.exchanged.has(id)) {
        const told = game.news();
        drag.taken = game.choose(id).then(() => told);
      }
    }
    drag.picture.style.transform = `translate(${dx}px, ${dy}px)`;
    mark(answerAt(event.clientX, event.clientY, event.pointerType !== "mouse"));
  }

  function mark(element: Element | null): void {
    for (const one of table.querySelectorAll(".aimed")) if (one !== element) one.classList.remove("aimed");
    element?.classList.add("aimed");
  }

  async function up(event: PointerEvent): Promise<void> {
    const done = drag;
    drag = undefined;
    if (!done?.picture) return;
    dropped = true;
    setTimeout(() => (dropped = false)); // the click that follows is none
    if (event.type === "pointerup") {
      await done.taken;
      await tick();
      const target = answerAt(event.clientX, event.clientY, event.pointerType !== "mouse");
      if (target && target !== done.source && game.offered.has(target.id)) {
        const told = game.news();
        await game.choose(target.id);
        if (game.choosing.length === 0) await told;
      }
    }
    table.classList.remove("dragging");
    done.picture.remove();
    mark(null);
  }

  function click(event: MouseEvent): void {
    if (dropped) event.stopPropagation();
  }

  const ended = (event: PointerEvent) => void up(event);
  table.addEventListener("pointerdown", down);
  table.addEventListener("click", click, true);
  addEventListener("pointermove", move);
  addEventListener("pointerup", ended);
  addEventListener("pointercancel", ended);
  return {
    destroy() {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", ended);
      removeEventListener("pointercancel", ended);
    },
  };
};
