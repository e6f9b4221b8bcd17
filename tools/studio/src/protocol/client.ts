/**
 * The page's side of the protocol: requests that are promises, and notifications. It knows nothing of what carries the
 * messages: a websocket, or a worker in which the same host runs.
 */
import type { Error as Failing, Methods, Notifications } from "./messages";
import type { Place } from "./places";

export const PROTOCOL = 1;
const STOPPED = 2;

export type Method = keyof Methods;
export type Params<M extends Method> = Methods[M]["params"];
export type Result<M extends Method> = Methods[M]["result"];

/** Carries texts to a host and back. */
export interface Carrier {
  send(text: string): void;
  onText: (text: string) => void;
}

/** A carrier that is opened, and may lose its host. */
export interface Connection extends Carrier {
  onOpen: () => void;
  /**
   * Nothing that was sent will be answered. `sentence` says why; empty if that is to be expected. `again` are the
   * milliseconds after which the host is looked for again.
   */
  onLost: (sentence: string, again?: number) => void;
  /** What goes on before the host is there, where that takes its time; empty when it is. */
  onStage?: (words: string) => void;
  /** Where games have addresses, by which others can come: what makes them. */
  readonly place?: Pick<Place, "base" | "isAt" | "linkTo" | "known">;
  /** Connect at once: do not wait longer, and do not rely on a connection that seems to be there. */
  tryNow?: () => void;
  /** Go to another game by a link to it. */
  visit?: (game: string, key: string) => void;
}

/** The host has refused a request. */
export class Refusal extends Error {
  constructor(readonly failing: Failing) {
    super(failing.message);
  }
}

/** The connection was lost before the host could answer. */
export class ConnectionLost extends Refusal {
  constructor(readonly wasSent: boolean) {
    super({ code: STOPPED, message: "the connection is lost" });
  }
}

type Handlers = { [N in keyof Notifications]?: (params: Notifications[N]) => void };

interface Waiting {
  resolve(result: unknown): void;
  reject(reason: Refusal): void;
}

export class Client {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private isOpen = true;

  constructor(
    private readonly carrier: Carrier,
    private readonly handlers: Handlers,
  ) {
    carrier.onText = (text) => this.take(text);
  }

  /** Send a request; the promise is kept when its response comes, and broken if the host refuses it. */
  ask<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    if (!this.isOpen) return Promise.reject(new ConnectionLost(false));
    const id = ++this.last;
    return new Promise<Result<M>>((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as Result<M>), reject });
      this.carrier.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /** Stop all requests that have not been answered, and what goes on after one that was: agents who play on. */
  cancel(): void {
    if (!this.isOpen) return;
    const wanted = [...[...this.waiting.keys()].map((id) => ({ id })), {}];
    for (const params of wanted) this.carrier.send(JSON.stringify({ jsonrpc: "2.0", method: "cancel", params }));
  }

  open(): void {
    this.isOpen = true;
  }

  /** Nothing that waits will be answered, nor anything that is asked before there is a host again. */
  close(): void {
    this.isOpen = false;
    for (const one of this.waiting.values()) one.reject(new ConnectionLost(true));
    this.waiting.clear();
  }

  private take(text: string): void {
    const message = JSON.parse(text) as {
      id?: number | null;
      result?: unknown;
      error?: Failing;
      method?: string;
      params?: unknown;
    };
    if (message.method !== undefined) {
      const handler = this.handlers[message.method as keyof Notifications] as ((params: unknown) => void) | undefined;
      handler?.(message.params);
      return;
    }
    const waiting = this.waiting.get(message.id ?? -1);
    this.waiting.delete(message.id ?? -1);
    if (message.error) waiting?.reject(new Refusal(message.error));
    else waiting?.resolve(message.result);
  }
}
