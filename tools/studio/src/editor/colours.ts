/** The colours of the language: the language server names the kind of each word. */
import { LSPPlugin } from "@codemirror/lsp-client";
import { RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";

const WAIT = 150;
const coloured = StateEffect.define<DecorationSet>();

const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(coloured)) return effect.value;
    return found.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Five numbers a word: lines and characters after the one before, length, kind, modifiers. */
export function decorated(data: readonly number[], kinds: readonly string[], doc: Text): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let line = 1;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, kind = 0] = data.slice(at, at + 4);
    line += down;
    character = down > 0 ? right : character + right;
    if (line > doc.lines) break;
    const from = doc.line(line).from + character;
    if (from + length > doc.length) break;
    builder.add(from, from + length, Decoration.mark({ class: `rw-${kinds[kind] ?? "other"}` }));
  }
  return builder.finish();
}

class Colouring {
  private timer = 0;

  constructor(private readonly view: EditorView) {
    this.later(0);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) this.later(WAIT);
  }

  destroy(): void {
    clearTimeout(this.timer);
  }

  private later(wait: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), wait);
  }

  private async ask(): Promise<void> {
    const plugin = LSPPlugin.get(this.view);
    if (!plugin) return;
    await plugin.client.initializing;
    const legend = plugin.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
    plugin.client.sync();
    const doc = this.view.state.doc;
    const found = await plugin.client
      .request<object, { data: number[] } | null>("textDocument/semanticTokens/full", {
        textDocument: { uri: plugin.uri },
      })
      .catch(() => null);
    if (!found || this.view.state.doc !== doc) return; // another answer follows
    this.view.dispatch({ effects: coloured.of(decorated(found.data, legend, doc)) });
  }
}

const theme = EditorView.baseTheme({
  ".rw-keyword": { fontWeight: "600", color: "var(--accent)" },
  ".rw-comment": { color: "var(--soft)", fontStyle: "italic" },
  ".rw-string, .rw-number": { color: "var(--literal)" },
  ".rw-label, .rw-function": { color: "var(--named)" },
  ".rw-class, .rw-enumMember": { color: "var(--kind)" },
  ".rw-decorator": { color: "var(--soft)" },
});

export const colouring = [colours, ViewPlugin.fromClass(Colouring), theme];
