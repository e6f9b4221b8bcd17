/**
 * The page's side of the protocol: requests that are promises, and notifications. It knows nothing of what carries the
 * messages: a websocket, or a worker in which the same host runs.
 */
import type { Error as Failing, Methods, Notifications } from "./messages";

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
  /** Nothing that was sent will be answered. `sentence` says what the person can do about it; empty if nothing. */
  onLost: (sentence: string) => void;
}

/** The host has refused a request. */
export class Refusal extends Error {
  constructor(readonly failing: Failing) {
    super(failing.message);
  }
}

/** The connection was lost before the host could answer. */
export class ConnectionLost extends Refusal {
  constructor() {
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

  constructor(
    private readonly carrier: Carrier,
    private readonly handlers: Handlers,
  ) {
    carrier.onText = (text) => this.take(text);
  }

  /** Send a request; the promise is kept when its response comes, and broken if the host refuses it. */
  ask<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    const id = ++this.last;
    return new Promise<Result<M>>((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as Result<M>), reject });
      this.carrier.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /** Stop all requests that have not been answered, and what goes on after one that was: agents who play on. */
  cancel(): void {
    const wanted = [...[...this.waiting.keys()].map((id) => ({ id })), {}];
    for (const params of wanted) this.carrier.send(JSON.stringify({ jsonrpc: "2.0", method: "cancel", params }));
  }

  /** Nothing that waits will be answered. */
  close(): void {
    for (const one of this.waiting.values()) one.reject(new ConnectionLost());
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
