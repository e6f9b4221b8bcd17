/** The program `rulewright`: where it is, and how it is run. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export const INSTALL = "pip install 'rulewright[all]'";

/** There is no such program. */
export class MissingProgram extends Error {
  constructor(command: string) {
    super(
      `Rulewright was not found: there is no program \`${command}\`. Install it with ${INSTALL}, or set rulewright.command to its path.`,
    );
  }
}

/** What a finished process has written, and its exit code; none if it was ended. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program that a setting means: a name for the PATH, or a path, which may begin at the open folder. */
export function resolveCommand(setting: string, folder: string | undefined): string {
  const command = setting.trim() || "rulewright";
  if (command.startsWith("~/")) {
    return join(homedir(), command.slice(2));
  }
  const isPath = command.includes("/") || command.includes("\\");
  return isPath && !isAbsolute(command) && folder !== undefined ? join(folder, command) : command;
}

/** Starts the program; waits until it runs. */
export async function start(
  command: string,
  words: readonly string[],
  cwd?: string,
): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(command, words, { cwd, stdio: "pipe" });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "ENOENT" ? new MissingProgram(command) : error);
    });
  });
  return child;
}

/** Runs the program to its end; an aborted signal ends it. */
export async function run(
  command: string,
  words: readonly string[],
  cwd: string,
  signal?: AbortSignal,
): Promise<Finished> {
  const child = await start(command, words, cwd);
  const end = (): void => void child.kill();
  signal?.addEventListener("abort", end);
  if (signal?.aborted) {
    end();
  }
  child.stdin.end();
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  signal?.removeEventListener("abort", end);
  return { code, stdout, stderr };
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  stream.setEncoding("utf8");
  let all = "";
  for await (const part of stream) {
    all += part as string;
  }
  return all;
}
