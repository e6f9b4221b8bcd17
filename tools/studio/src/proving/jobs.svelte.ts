/** The jobs of the page, as the host tells of them. */
import type { Game } from "../game/game.svelte";
import type { Params, Result } from "../protocol/client";
import type { Job } from "../protocol/messages";
import { Moments } from "./moments.svelte";

export class Jobs {
  all = $state.raw<readonly Job[]>([]);
  /** The kinds of jobs that can be begun. */
  kinds = $state.raw<Result<"jobs/list">["kinds"]>([]);
  private readonly moments: Moments[] = [];

  constructor(private readonly game: Game) {}

  async list(): Promise<void> {
    const told = await this.game.ask("jobs/list", {});
    if (told) ({ jobs: this.all, kinds: this.kinds } = told);
  }

  /** Begin a job; its number, unless it is refused. */
  async start(params: Params<"jobs/start">): Promise<number | undefined> {
    const begun = await this.game.ask("jobs/start", params);
    if (begun) await this.list();
    return begun?.id;
  }

  async stop(job: Job): Promise<void> {
    if (await this.game.ask("jobs/stop", { id: job.id })) await this.list();
  }

  take(job: Job): void {
    const isKnown = this.all.some((one) => one.id === job.id);
    this.all = isKnown ? this.all.map((one) => (one.id === job.id ? job : one)) : [...this.all, job];
  }

  /** The moments that a job has found, and what was answered to them. */
  momentsOf(id: number): Moments {
    return (this.moments[id] ??= new Moments(this.game, id));
  }
}

export function runs(job: Job | undefined): boolean {
  return job?.state === "runs" || job?.state === "waits";
}
