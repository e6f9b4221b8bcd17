/** The editor: CodeMirror with the language server behind it, in a shadow root so that its styles need no inline CSS. */
import { indentUnit } from "@codemirror/language";
import { lintGutter, setDiagnosticsEffect } from "@codemirror/lint";
import { languageServerExtensions, LSPClient } from "@codemirror/lsp-client";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, type ViewUpdate } from "@codemirror/view";
import { basicSetup } from "codemirror";
import DOMPurify from "dompurify";
import { colouring } from "./colours";
import type { OpenTransport } from "./transport";

export const LANGUAGE = "rulewright";
const TIMEOUT = 20_000;
/** Help is words: nothing in it is fetched from anywhere, or filled in. */
const FETCHING = ["img", "picture", "source", "audio", "video", "track", "input", "button", "form", "style"];

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace', lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--wash)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--line) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-tooltip": { maxWidth: "min(40rem, 90vw)", maxHeight: "20rem", overflow: "auto" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--alarm)" },
});

/** A client of the language server, once it answers. */
export async function connected(
  open: OpenTransport,
  show: (uri: string) => Promise<EditorView | null>,
  lost: () => void,
): Promise<LSPClient> {
  const client = new LSPClient({
    timeout: TIMEOUT,
    sanitizeHTML: (html) =>
      DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_ATTR: ["style"], FORBID_TAGS: FETCHING }),
    extensions: [
      ...languageServerExtensions(),
      {
        clientCapabilities: {
          textDocument: {
            semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
            codeAction: {
              codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source.fixAll", "refactor"] } },
              resolveSupport: { properties: ["edit"] },
              dataSupport: true,
            },
          },
        },
      },
    ],
  });
  client.workspace.displayFile = show;
  client.connect(
    await open(() => {
      client.disconnect();
      lost();
    }),
  );
  await client.initializing;
  return client;
}

export interface Opened {
  uri: string;
  text: string;
  writable: boolean;
}

/** All extensions of an editor for a file. */
export function extensionsFor(file: Opened, save: () => void, more: Extension = []): Extension {
  return [
    keymap.of([{ key: "Mod-s", preventDefault: true, run: () => (save(), true) }]),
    basicSetup,
    indentUnit.of("    "),
    lintGutter(),
    theme,
    EditorView.contentAttributes.of({
      tabindex: "0",
      "aria-label": `Text of ${decodeURIComponent(file.uri.replace("file:///", ""))}`,
    }),
    EditorState.readOnly.of(!file.writable),
    more,
  ];
}

/** What the language server adds to the editor of a file. */
export function languageFor(uri: string, client: LSPClient): Extension {
  return [client.plugin(uri, LANGUAGE), colouring];
}

/** True if other findings are shown than before, or in other places. */
export function foundAnew(update: ViewUpdate): boolean {
  return update.docChanged || update.transactions.some((one) => one.effects.some((it) => it.is(setDiagnosticsEffect)));
}
