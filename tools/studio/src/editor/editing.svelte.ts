/** The files of a ruleset as the page edits them: what was read, what is not saved yet, and what others have changed. */
import type { EditorView } from "@codemirror/view";
import { SvelteMap } from "svelte/reactivity";
import type { Game } from "../game/game.svelte";
import { goesOn } from "../game/reloading";
import { Refusal, type Result } from "../protocol/client";

export type File = Result<"files/read">;

const CHANGED = 4;

export interface Conflict {
  /** The file as it is now; undefined if it is not there any more. */
  theirs: { text: string; version: string } | undefined;
}

export class Editing {
  ruleset = $state("");
  names = $state.raw<string[]>([]);
  writable = $state(false);
  file = $state.raw<File>();
  /** The text in the editor, if it is not that of the file. */
  unsaved = $state.raw<string>();
  /** The line in which the cursor stands. */
  line = $state(1);
  conflict = $state.raw<Conflict>();
  /** What has come of the last change, in a sentence. */
  news = $state("");
  /** The editor, with the name of the file that it holds. */
  view: { name: string; editor: EditorView } | undefined;
  /** Texts of other files that were not saved when another one was opened. */
  private readonly left = new SvelteMap<string, { file: File; text: string }>();

  /** The file that was asked for last. */
  private wanted = "";

  constructor(readonly game: Game) {}

  get dirty(): boolean {
    return this.unsaved !== undefined || this.left.size > 0;
  }

  async list(ruleset: string): Promise<void> {
    const found = await this.game.ask("files/list", { ruleset });
    if (!found) return;
    const isOther = this.ruleset !== "" && this.ruleset !== ruleset;
    this.ruleset = ruleset;
    this.names = found.names;
    this.writable = found.writable;
    // Somebody may have asked for a line of a file meanwhile, perhaps of one that these rules change.
    const stays = this.wanted !== "" && (!isOther || found.names.includes(this.wanted));
    if (!stays) await this.open(found.names[0] ?? "");
  }

  async open(name: string): Promise<boolean> {
    this.wanted = name;
    if (!name || name === this.file?.name) return name !== "";
    const kept = this.left.get(name);
    const file = kept?.file ?? (await this.game.ask("files/read", { name }));
    if (this.wanted !== name) return false; // another one was asked for meanwhile
    if (!file) {
      this.wanted = this.file?.name ?? "";
      return false;
    }
    if (this.file && this.unsaved !== undefined) this.left.set(this.file.name, { file: this.file, text: this.unsaved });
    this.left.delete(name);
    this.conflict = undefined;
    this.unsaved = kept?.text;
    this.file = file;
    this.line = 1;
    return true;
  }

  /** The editor of a file, once it is there. */
  async editorOf(name: string): Promise<EditorView | null> {
    if (!(await this.open(name))) return null;
    for (let tries = 0; tries < 60 && this.view?.name !== name; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return this.view?.name === name ? this.view.editor : null;
  }

  typed(text: string): void {
    this.unsaved = text === this.file?.text ? undefined : text;
  }

  /** Write what is in the editor in the place of what was read, or of a version that somebody else has written. */
  async save(version = this.file?.version ?? ""): Promise<void> {
    const file = this.file;
    const text = this.unsaved ?? file?.text;
    if (!file || text === undefined || !file.writable) return;
    try {
      const request = { name: file.name, text, ...(version ? { version } : {}) };
      const written = await this.game.request("files/write", request);
      this.conflict = undefined;
      this.file = written;
      if (this.unsaved === text) this.unsaved = undefined;
      await this.reload();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const data = error.failing.data as { text?: string; version?: string } | undefined;
      if (error.failing.code !== CHANGED) this.game.tell(error.failing);
      else if (data?.text === undefined) this.conflict = { theirs: undefined };
      else this.conflict = { theirs: { text: data.text, version: data.version ?? "" } };
    }
  }

  /** Give up what is in the editor for what is in the file. */
  takeTheirs(): void {
    const theirs = this.conflict?.theirs;
    if (!this.file) return;
    if (theirs) this.file = { ...this.file, ...theirs };
    this.unsaved = undefined;
    this.conflict = undefined;
    void this.reload();
  }

  async newVariant(name: string): Promise<void> {
    const shown = this.game.shown;
    const made = await this.game.ask("files/newVariant", { ruleset: this.ruleset, name });
    if (!made) return;
    await this.game.refresh();
    const seats = shown?.ruleset === this.ruleset ? shown.seats.map((one) => one.kind) : [];
    const same = shown &&
      seats.length > 0 && { players: seats.length, seats, viewer: shown.viewer.word, keeps_seed: true };
    await this.game.start({ ruleset: made.ruleset, ...same });
    await this.list(made.ruleset);
    this.news = `${made.name} is a file of your own: change it, and save.`;
  }

  /** Let the game go on with the rules as they are now. */
  async reload(): Promise<void> {
    if (!this.game.shown) {
      this.news = "Saved.";
      return;
    }
    const told = await this.game.reload({});
    this.news = told
      ? `Saved. ${goesOn(told)}`
      : "Saved. The game goes on with the rules as they were, until what is wrong is mended:";
  }
}
