/** The language server: `rulewright lsp` over its standard streams. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type Location,
  type Position,
} from "vscode-languageclient/node";
import { MissingProgram, start } from "./program.js";
import { command, showProblem } from "./settings.js";

const REFERENCES = "editor.action.showReferences";
/** So many characters of what the server says on stderr are kept for a message. */
const KEPT = 2000;
/** Milliseconds to wait for the end of a server that did not start. */
const PATIENCE = 500;

/** The client of the server, which may be restarted. */
export class Server implements vscode.Disposable {
  private client: Client | undefined;
  private readonly channel = vscode.window.createOutputChannel("Rulewright", { log: true });

  async start(): Promise<void> {
    let stderr = "";
    let ended: Promise<unknown> = Promise.resolve();
    const launch = async (): Promise<ChildProcessWithoutNullStreams> => {
      const child = await start(command(), ["lsp"], vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
      child.stderr.on("data", (data: Buffer) => (stderr = (stderr + data.toString()).slice(-KEPT)));
      ended = new Promise((resolve) => child.once("close", resolve));
      return child;
    };
    try {
      // The first process is started before there is a client, so that a missing program is told once and clearly.
      let first: ChildProcessWithoutNullStreams | undefined = await launch();
      const client = new Client(async () => {
        const child = first ?? (await launch());
        first = undefined;
        return child;
      }, this.channel);
      this.client = client;
      await client.start();
      client.starting = false;
    } catch (error) {
      this.client = undefined;
      // What it has to say may come after the end of the connection.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
      await showProblem(
        error instanceof MissingProgram
          ? error
          : `The language server did not start: ${stderr.trim() || String(error)}`,
      );
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

/** A client that leaves it to its owner to tell why the server did not start. */
class Client extends LanguageClient {
  starting = true;

  constructor(launch: () => Promise<ChildProcessWithoutNullStreams>, outputChannel: vscode.LogOutputChannel) {
    const options: LanguageClientOptions = {
      // The server passes over JSON that belongs to no ruleset.
      documentSelector: [
        { scheme: "file", language: "rulewright" },
        { scheme: "file", language: "json" },
      ],
      outputChannel,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (error, message, count) =>
          this.starting ? { action: ErrorAction.Shutdown, handled: true } : usual.error(error, message, count),
        closed: () => (this.starting ? { action: CloseAction.DoNotRestart, handled: true } : usual.closed()),
      },
      middleware: {
        provideCodeLenses: async (document, token, next) =>
          (await next(document, token))?.map((lens) => this.withPlaces(lens)),
      },
    };
    super("rulewright", "Rulewright", launch, options);
    const usual = this.createDefaultErrorHandler();
  }

  override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
    super.error(message, data, this.starting ? false : showNotification);
  }

  /** The editor's own command for references takes places of the editor, not of the protocol. */
  private withPlaces(lens: vscode.CodeLens): vscode.CodeLens {
    if (lens.command?.command === REFERENCES && lens.command.arguments !== undefined) {
      const [uri, position, places] = lens.command.arguments as [string, Position, Location[]];
      const convert = this.protocol2CodeConverter;
      lens.command.arguments = [
        convert.asUri(uri),
        convert.asPosition(position),
        places.map((place) => convert.asLocation(place)),
      ];
    }
    return lens;
  }
}
