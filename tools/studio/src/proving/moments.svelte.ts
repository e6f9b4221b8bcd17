/** The moments of a job, and what the person has answered: they outlive the view. */
import type { Game } from "../game/game.svelte";
import type { Job, Moment } from "../protocol/messages";

/** The answer to a moment, with the file that was written for it. */
export interface Answer {
  verdict: "right" | "not what was meant" | "skipped";
  file?: string;
  line?: number;
}

export class Moments {
  all = $state.raw<readonly Moment[]>([]);
  answers = $state.raw<readonly Answer[]>([]);
  /** True while something is written. */
  private busy = false;
  private asked = 0;

  constructor(
    private readonly game: Game,
    readonly id: number,
  ) {}

  /** The moment that is to be answered now. */
  get now(): Moment | undefined {
    return this.all[this.answers.length];
  }

  /** Ask for those that the job has found since. */
  async follow(job: Job): Promise<void> {
    if (job.moments <= this.asked) return;
    const from = this.asked;
    this.asked = job.moments;
    const found = await this.game.ask("jobs/moments", { job: this.id, from });
    if (found) this.all = [...this.all.slice(0, from), ...found.moments];
    this.asked = this.all.length;
  }

  skip(): void {
    this.answer({ verdict: "skipped" });
  }

  /** It is right: kept as a scenario, if one can express it. */
  async keep(): Promise<void> {
    await this.alone(async (number) => {
      const isKept = this.now?.keeps;
      const kept = isKept ? await this.game.ask("jobs/keep", { job: this.id, number }) : {};
      if (kept) this.answer({ verdict: "right", ...kept });
    });
  }

  /** Something else was meant, and perhaps it is one of the choices: then moments are looked for anew. */
  async reject(choice?: number): Promise<void> {
    await this.alone(async (number) => {
      if (choice === undefined) return this.answer({ verdict: "not what was meant" });
      const written = await this.game.ask("jobs/write", { job: this.id, number, choice });
      if (!written) return;
      this.all = this.all.slice(0, number + 1); // the others are about rules that are no more
      this.asked = Infinity;
      this.answer({ verdict: "not what was meant", file: written.file, line: written.line });
      await this.game.jobs.list();
      if (this.game.shown) await this.game.reload({});
    });
  }

  private answer(one: Answer): void {
    if (this.now) this.answers = [...this.answers, one];
  }

  private async alone(action: (number: number) => Promise<void> | void): Promise<void> {
    if (this.busy || !this.now) return;
    this.busy = true;
    try {
      await action(this.answers.length);
    } finally {
      this.busy = false;
    }
  }
}
