/** The files that the language server is told of: the one in the editor. */
import { Workspace, type LSPClient, type WorkspaceFile } from "@codemirror/lsp-client";
import { ChangeSet, type Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { LSPPlugin } from "@codemirror/lsp-client";

class OpenFile implements WorkspaceFile {
  version = 0;
  constructor(
    readonly uri: string,
    readonly languageId: string,
    public doc: Text,
    readonly view: EditorView,
  ) {}
  getView(): EditorView {
    return this.view;
  }
}

export class OneFileWorkspace extends Workspace {
  files: OpenFile[] = [];

  constructor(
    client: LSPClient,
    private readonly show: (uri: string) => Promise<EditorView | null>,
  ) {
    super(client);
  }

  override syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      const changes = plugin?.unsyncedChanges ?? ChangeSet.empty(file.doc.length);
      if (changes.empty) continue;
      found.push({ file, changes, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version++;
      plugin?.clear();
    }
    return found;
  }

  override openFile(uri: string, languageId: string, view: EditorView): void {
    const file = new OpenFile(uri, languageId, view.state.doc, view);
    this.files = [...this.files.filter((one) => one.uri !== uri), file];
    this.client.didOpen(file);
  }

  override closeFile(uri: string): void {
    this.files = this.files.filter((one) => one.uri !== uri);
    this.client.didClose(uri);
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return this.show(uri);
  }
}
