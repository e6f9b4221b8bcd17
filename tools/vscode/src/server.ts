/** The language server: `rulewright lsp` over its standard streams. */
import type { ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { MissingProgram, start } from "./program.js";
import { command, showProblem } from "./settings.js";

const OPTIONS: LanguageClientOptions = {
  // The server passes over JSON that belongs to no ruleset.
  documentSelector: [
    { scheme: "file", language: "rulewright" },
    { scheme: "file", language: "json" },
  ],
};
const NOTED = 2000;

/** The client of the server, which may be restarted. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly channel = vscode.window.createOutputChannel("Rulewright", { log: true });

  async start(): Promise<void> {
    let missing: MissingProgram | undefined;
    let noted = "";
    const launch = async (): Promise<ChildProcess> => {
      try {
        const child = await start(command(), ["lsp"], vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
        child.stderr.on("data", (data: Buffer) => (noted = (noted + data.toString()).slice(-NOTED)));
        return child;
      } catch (error) {
        missing = error instanceof MissingProgram ? error : undefined;
        throw error;
      }
    };
    const client = new LanguageClient("rulewright", "Rulewright", launch, {
      ...OPTIONS,
      outputChannel: this.channel,
      initializationFailedHandler: () => false,
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      await showProblem(missing ?? (noted.trim() ? new Error(`The language server did not start: ${noted.trim()}`) : error));
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  dispose(): void {
    this.channel.dispose();
  }
}
