/** The settings of the extension, and what to do if they name no program. */
import * as vscode from "vscode";
import { INSTALL, resolveCommand } from "./program.js";

/** The program `rulewright` for the open folder. */
export function command(): string {
  const setting = vscode.workspace.getConfiguration("rulewright").get("command", "rulewright");
  return resolveCommand(setting, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
}

/** Says what went wrong, with the two ways out. */
export async function showProblem(problem: unknown): Promise<void> {
  const copy = "Copy the Install Command";
  const settings = "Open Settings";
  const message = problem instanceof Error ? problem.message : String(problem);
  const chosen = await vscode.window.showErrorMessage(message, copy, settings);
  if (chosen === copy) {
    await vscode.env.clipboard.writeText(INSTALL);
  } else if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "rulewright.command");
  }
}
