/** Changes of a file, as the language server tells them. */
import type { ChangeSpec, Text } from "@codemirror/state";
import type { Position, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";

/** The edits of one file among those of several, as the editor takes them. */
export function changesOf({ changes = {}, documentChanges = [] }: WorkspaceEdit, uri: string, doc: Text): ChangeSpec[] {
  const offset = ({ line, character }: Position): number => {
    if (line >= doc.lines) return doc.length;
    const { from, to } = doc.line(line + 1);
    return Math.min(from + character, to);
  };
  const versioned = documentChanges.flatMap((one) => ("edits" in one && one.textDocument.uri === uri ? one.edits : []));
  const edits = [...(changes[uri] ?? []), ...(versioned as TextEdit[])];
  return edits.map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), insert: newText }));
}
