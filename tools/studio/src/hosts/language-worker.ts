/** The worker in which the language server runs, so that nobody who types waits for the game. */
import type { BeginLanguage, FromWorker } from "./messages";
import { FOLDER, pythonOf } from "./python";
import { Storage } from "./storage";

/** `rulewright_tools.studio.browser.language_host.LanguageHost`, as it is seen from here. */
interface LanguageHost {
  take(text: string): void;
  put_file(name: string, text: string): void;
}

let host: Promise<LanguageHost> | undefined;

addEventListener("message", ({ data }: MessageEvent<BeginLanguage | string>) => {
  if (typeof data !== "string") host = begun(data);
  host
    ?.then((host) => typeof data === "string" && host.take(data))
    .catch((error: unknown) => tell({ kind: "failed", sentence: String(error) }));
});

function tell(message: FromWorker): void {
  postMessage(message);
}

async function begun({ base }: BeginLanguage): Promise<LanguageHost> {
  const [python, storage] = await Promise.all([pythonOf(base, ["language.zip"]), Storage.open("")]);
  const { files } = await storage.all();
  const made = python
    .pyimport("rulewright_tools.studio.browser.language_host")
    .LanguageHost(FOLDER, JSON.stringify(files), tell) as LanguageHost;
  storage.hear(({ name, text }) => made.put_file(name, text));
  tell({ kind: "ready" });
  return made;
}
