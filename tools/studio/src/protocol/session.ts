/** The name under which a host keeps the game of a window; it lasts as long as the window. */

const SESSION = "rulewright.session";

function drawSession(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/]/g, "-");
}

/** The name of this window, which is drawn if there is none, or if it is to be another. */
export function sessionName(storage: Storage, anew: boolean): string {
  const found = storage.getItem(SESSION);
  if (found && !anew) return found;
  const drawn = drawSession();
  storage.setItem(SESSION, drawn);
  return drawn;
}
