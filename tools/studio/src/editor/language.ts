/** The language server of a page: one for all files, begun when the first is opened. */
import type { LSPClient } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import type { Game } from "../game/game.svelte";
import type { Editing } from "./editing.svelte";
import { connected } from "./setup";

const ROOT = "file:///";

/** The address of a file for the language server. */
export function uriOf(name: string): string {
  return ROOT + name.split("/").map(encodeURIComponent).join("/");
}

/** The name of a file for the host. */
export function nameOf(uri: string): string {
  return decodeURIComponent(uri.replace(ROOT, ""));
}

const known = new WeakMap<Game, Promise<LSPClient | undefined>>();

/** The client, or nothing where there is no language server: then there are no findings while one types. */
export function languageOf(game: Game, editing: Editing): Promise<LSPClient | undefined> {
  const open = game.language;
  if (!open) return Promise.resolve(undefined);
  const show = (uri: string): Promise<EditorView | null> => editing.editorOf(nameOf(uri));
  const found =
    known.get(game) ??
    connected(open, show, () => known.delete(game)).catch(() => {
      known.delete(game);
      return undefined;
    });
  known.set(game, found);
  return found;
}
