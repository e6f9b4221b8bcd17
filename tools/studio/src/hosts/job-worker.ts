/** The worker in which one job runs: the command of a terminal, beside the game. */
import type { BeginJob, FromJob } from "./messages";
import { FOLDER, pythonOf } from "./python";

type Run = (folder: string, words: string, files: string, say: (kind: FromJob["kind"], text: string) => void) => void;

addEventListener("message", ({ data }: MessageEvent<BeginJob>) => {
  run(data).catch((error: unknown) => say("broken", `${String(error)}\n`));
});

async function run({ base, words, files }: BeginJob): Promise<void> {
  const python = await pythonOf(base, ["commands.zip"]);
  const job = python.pyimport("rulewright_tools.studio.browser.job_worker") as { run: Run };
  job.run(FOLDER, words, files, say);
}

function say(kind: FromJob["kind"], text: string): void {
  postMessage({ kind, text } satisfies FromJob);
}
