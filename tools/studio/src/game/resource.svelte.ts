/** What the host says of something that changes: asked anew whenever it does, and dropped if it is outdated by then. */
import { untrack } from "svelte";

export class Resource<K, T> {
  /** What was answered last. */
  now = $state.raw<T>();
  private wanted: K | undefined;
  private isAsking = false;

  /** To be made in a component. Nothing is asked of what is undefined; one at a time, so fast changes are one request. */
  constructor(
    of: () => K | undefined,
    private readonly ask: (one: K) => Promise<T | undefined>,
  ) {
    $effect(() => {
      this.wanted = of();
      if (!this.isAsking) void untrack(() => this.follow());
    });
  }

  private async follow(): Promise<void> {
    this.isAsking = true;
    try {
      for (let asked: K | undefined; this.wanted !== asked && this.wanted !== undefined;) {
        asked = this.wanted;
        const told = await this.ask(asked);
        if (asked === this.wanted) this.now = told ?? this.now;
      }
    } finally {
      this.isAsking = false;
    }
  }
}
