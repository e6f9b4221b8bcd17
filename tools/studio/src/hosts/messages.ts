/** What the page and the worker tell each other besides the texts of the protocol, which are strings. */

export interface Begin {
  kind: "begin";
  /** The address of the folder in which the page lies. */
  base: string;
  /** The name under which this window's game is kept. */
  session: string;
  /** Where the page asks for a stop, if it may share memory. */
  stop: SharedArrayBuffer | undefined;
  /** True if agents who were about to answer do so; false after a stop. */
  playsOn: boolean;
}

/** Begins a language server. */
export interface BeginLanguage {
  kind: "language";
  base: string;
}

/** Begins a job. */
export interface BeginJob {
  base: string;
  /** The words of its command, and the player's files by their names, as JSON. */
  words: string;
  files: string;
}

/** What a job says: text of either stream, its exit code, or why it cannot go on. */
export interface FromJob {
  kind: "out" | "error" | "code" | "broken";
  text: string;
}

export type FromWorker =
  | string
  /** What the worker is at before the host is there. */
  | { kind: "stage"; words: string }
  | { kind: "ready" }
  /** All that was asked has been answered. */
  | { kind: "idle" }
  | { kind: "failed"; sentence: string };
