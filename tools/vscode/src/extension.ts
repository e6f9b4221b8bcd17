/** What the editor calls when a rules file or a folder with a ruleset is opened. */
import * as vscode from "vscode";
import { registerCommands } from "./commands.js";
import { Server } from "./server.js";
import { registerTesting } from "./testing.js";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const started = new Server();
  server = started;
  context.subscriptions.push(
    started,
    registerCommands(),
    registerTesting(),
    vscode.commands.registerCommand("rulewright.restart", () => started.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("rulewright.command")) {
        void started.restart();
      }
    }),
  );
  void started.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
