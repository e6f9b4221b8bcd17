/** Where the pointer is: a board that is drawn anew under one that rests is not what somebody looks at. */
import type { Action } from "svelte/action";
import type { Game } from "../game/game.svelte";

let x = NaN;
let y = NaN;
let moved = false;

/** Take note of an event before those hear of it whom it is for. */
export function follow(event: { clientX: number; clientY: number }): void {
  moved = event.clientX !== x || event.clientY !== y;
  x = event.clientX;
  y = event.clientY;
}

/** True if the pointer has come from elsewhere, and not what is below it. */
export function hasMoved(): boolean {
  return moved;
}

/** Who rests on something that is refused, or comes to it with the keyboard, is told why. */
export const explaining: Action<HTMLElement, Game> = (page, game) => {
  let under: Element | null = null;
  let rests = 0;
  const explain = ({ target }: Event) => {
    const element =
      target instanceof Element ? target.closest<HTMLElement>(".thing, .held [id], .refusals button") : null;
    if (element === under) return;
    under = element;
    clearTimeout(rests);
    if (!element?.matches(".refused")) return;
    rests = window.setTimeout(() => {
      const { key } = element.dataset;
      if (!element.isConnected || element.closest(".aims")) return;
      void (key ? game.askWhyNot({ key }, element.innerText) : game.askWhyNot({ thing: element.id }));
    }, 250);
  };
  page.addEventListener("focusin", explain);
  page.addEventListener("pointermove", (event) => {
    if (moved && event.buttons === 0) explain(event);
  });
};
