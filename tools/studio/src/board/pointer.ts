/** Where the pointer is: a board that is drawn anew under one that rests is not what somebody looks at. */

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
