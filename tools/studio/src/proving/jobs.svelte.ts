/** The jobs of the page, as the host tells of them. */
import type { Game } from "../game/game.svelte";
import type { Params } from "../protocol/client";
import type { Job } from "../protocol/messages";

export type Start = Params<"jobs/start">;

export class Jobs {
  all = $state.raw<Job[]>([]);

  constructor(private readonly game: Game) {
    game.onJob = (job) => this.take(job);
    game.onHost = () => void this.list(); // another host has other jobs, and this one may have said something unheard
  }

  async list(): Promise<void> {
    this.all = (await this.game.ask("jobs/list", {}))?.jobs ?? this.all;
  }

  async start(params: Start): Promise<void> {
    if (await this.game.ask("jobs/start", params)) await this.list();
  }

  async stop(job: Job): Promise<void> {
    if (await this.game.ask("jobs/stop", { id: job.id })) await this.list();
  }

  private take(job: Job): void {
    const known = this.all.some((one) => one.id === job.id);
    this.all = known ? this.all.map((one) => (one.id === job.id ? job : one)) : [...this.all, job];
  }
}

/** A part of what a job has printed: words, or the place of a rule. */
export interface Piece {
  text: string;
  place?: { file: string; line: number; opens: boolean };
}

/** The text with its places; they are counted in code points. */
export function pieces(job: Pick<Job, "text" | "places">): Piece[] {
  const letters = [...job.text];
  const found: Piece[] = [];
  let at = 0;
  for (const { at: from, size, file, line, opens } of job.places) {
    if (from > at) found.push({ text: letters.slice(at, from).join("") });
    found.push({ text: letters.slice(from, from + size).join(""), place: { file, line, opens } });
    at = from + size;
  }
  if (at < letters.length) found.push({ text: letters.slice(at).join("") });
  return found;
}

/** A scenario that a job has told: what the fuzzer has found, for instance. */
export interface Story {
  title: string;
  text: string;
}

const STORY = /^scenario "(?<title>[^"\n]*)".*\n(?:[ \t]{4,}.*\n?)+/gm;

/** The scenarios in the text of a job. */
export function stories(text: string): Story[] {
  return [...text.matchAll(STORY)].map((found) => ({ title: found.groups?.title ?? "", text: found[0] }));
}

const known = new WeakMap<Game, Jobs>();

/** The jobs of a page: they outlive the view. */
export function jobsOf(game: Game): Jobs {
  const found = known.get(game) ?? new Jobs(game);
  known.set(game, found);
  return found;
}
