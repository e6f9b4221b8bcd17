/** Changes of several files, as the language server tells them. */
import { Text, type ChangeSpec } from "@codemirror/state";

interface Place {
  line: number;
  character: number;
}

export interface TextEdit {
  range: { start: Place; end: Place };
  newText: string;
}

export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: { textDocument?: { uri: string }; edits?: TextEdit[] }[];
}

/** The edits of each file, by its address. */
export function editsByFile(edit: WorkspaceEdit): Map<string, TextEdit[]> {
  const found = new Map<string, TextEdit[]>(Object.entries(edit.changes ?? {}));
  for (const one of edit.documentChanges ?? []) {
    if (one.textDocument && one.edits) {
      found.set(one.textDocument.uri, [...(found.get(one.textDocument.uri) ?? []), ...one.edits]);
    }
  }
  return found;
}

/** Edits as the editor takes them. */
export function changesOf(edits: readonly TextEdit[], doc: Text): ChangeSpec[] {
  const offset = (place: Place): number => {
    if (place.line >= doc.lines) return doc.length;
    const line = doc.line(place.line + 1);
    return Math.min(line.from + place.character, line.to);
  };
  return edits.map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), insert: newText }));
}
