/** Commands of the palette and of code lenses: each runs the command line in a terminal. */
import * as vscode from "vscode";
import { pickRuleset, rulesetOf } from "./rulesets.js";
import { command } from "./settings.js";

/** The commands with their subcommands of `rulewright`, and the options that take the title that a code lens gives. */
const COMMANDS: Readonly<Record<string, readonly [string, string?]>> = {
  "rulewright.check": ["check"],
  "rulewright.test": ["test", "-k"],
  "rulewright.play": ["play", "--variant"],
  "rulewright.playScenario": ["play", "--scenario"],
  "rulewright.simulate": ["simulate", "--variant"],
  "rulewright.fuzz": ["fuzz", "--variant"],
  "rulewright.examine": ["examine", "--variant"],
};

/** Registers the commands. A code lens gives the ruleset, as a path or URI of something in it, and perhaps a title. */
export function registerCommands(): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([id, [name, option]]) =>
    vscode.commands.registerCommand(id, async (target?: unknown, title?: unknown) => {
      const folder = folderOf(target) ?? (await pickRuleset());
      if (folder !== undefined) {
        const words = option !== undefined && typeof title === "string" ? [option, title] : [];
        await inTerminal(name, folder, words);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

function folderOf(target: unknown): string | undefined {
  if (target instanceof vscode.Uri) {
    return rulesetOf(target.fsPath);
  }
  if (typeof target !== "string") {
    return undefined;
  }
  return rulesetOf(target.startsWith("file:") ? vscode.Uri.parse(target).fsPath : target);
}

/** A task starts the program without a shell, so no word needs quotes, and its terminal stays open. */
async function inTerminal(name: string, folder: string, words: readonly string[]): Promise<void> {
  const scope = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) ?? vscode.TaskScope.Workspace;
  const execution = new vscode.ProcessExecution(command(), [name, folder, ...words], { cwd: folder });
  const task = new vscode.Task({ type: "rulewright", command: name }, scope, name, "rulewright", execution, []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: name === "play", clear: true };
  await vscode.tasks.executeTask(task);
}
