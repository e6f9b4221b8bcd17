import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Meanwhile } from "../src/game/meanwhile.svelte";
import { ConnectionLost, Refusal } from "../src/protocol/client";
import { Place } from "../src/protocol/places";
import { pause, SocketCarrier } from "../src/protocol/websocket";

class FakeSocket {
  static all: FakeSocket[] = [];
  sent: string[] = [];
  onopen = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  constructor(
    readonly address: URL,
    readonly words: string[],
  ) {
    FakeSocket.all.push(this);
  }
  send = (text: string) => void this.sent.push(text);
  close = () => this.onclose({ code: 1000 });
}

function opened(path = "/game/abcdefgh#key=seat1") {
  history.replaceState(null, "", path);
  const carrier = new SocketCarrier(new Place());
  const lost: [string, number | undefined][] = [];
  carrier.onLost = (sentence, again) => void lost.push([sentence, again]);
  carrier.open();
  return { carrier, lost };
}

const last = () => FakeSocket.all.at(-1) as FakeSocket;

describe("a page that has lost its host", () => {
  beforeEach(() => {
    FakeSocket.all = [];
    sessionStorage.clear();
    localStorage.clear();
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("waits longer each time, up to half a minute, and never gives up", () => {
    expect([0, 3, 8, 500].map((tries) => pause(tries, 1))).toEqual([400, expect.closeTo(2332.8), 30_000, 30_000]);
    expect(pause(500, 0)).toBe(18_000);
    const { lost } = opened();
    for (let tries = 0; tries < 40; tries++) {
      last().onclose({ code: 1006 });
      vi.advanceTimersByTime(30_000);
    }
    expect(FakeSocket.all).toHaveLength(41);
    expect(lost.every(([sentence, again]) => sentence !== "" && again !== undefined)).toBe(true);
    expect(last().address.searchParams.get("game")).toBe("abcdefgh");
    expect(last().words).toEqual(["rulewright.1", "seat1"]);
  });

  it("tries at once when it is told to, or when the network is back", () => {
    const { carrier, lost } = opened();
    dispatchEvent(new Event("online")); // it is open
    expect(FakeSocket.all).toHaveLength(1);
    last().onclose({ code: 1006 });
    carrier.tryNow();
    last().onclose({ code: 1006 });
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(3);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(3);
    carrier.tryNow(); // it seems to be open, but nothing comes
    expect([FakeSocket.all.length, lost.at(-1)?.[0]]).toEqual([4, "The connection is made anew"]);
  });

  it("does not come back by a link that was taken back, nor by an unknown one", () => {
    const { lost } = opened();
    last().onclose({ code: 4001 });
    vi.advanceTimersByTime(60_000);
    expect([FakeSocket.all.length, lost.at(-1)?.[1]]).toEqual([1, undefined]);
    expect(localStorage.getItem("rulewright.key.abcdefgh")).toBeNull();
    const other = opened("/game/ijklmnop#key=wrong");
    localStorage.setItem("rulewright.token", "mine");
    last().onclose({ code: 4003 });
    expect(other.lost.at(-1)?.[0]).toMatch(/needs a link/);
  });

  it("tries another secret that the browser knows", () => {
    localStorage.setItem("rulewright.token", "mine");
    opened("/game/abcdefgh#key=old");
    last().onclose({ code: 4003 });
    expect(last().words[1]).toBe("mine");
  });

  it("becomes another window if it is the copy of one", () => {
    opened();
    const session = last().address.searchParams.get("session");
    for (let tries = 0; tries < 3; tries++) {
      last().onclose({ code: 1013 });
      vi.advanceTimersByTime(3_000);
    }
    expect(last().address.searchParams.get("session")).not.toBe(session);
  });

  it("goes to another game with its key, and hears nothing of the old one", () => {
    const { carrier, lost } = opened();
    const old = last();
    const close = old.onclose;
    carrier.visit("ijklmnop", "seat2");
    close({ code: 1000 });
    expect([last().address.searchParams.get("game"), last().words[1]]).toEqual(["ijklmnop", "seat2"]);
    expect(location.pathname).toBe("/game/ijklmnop");
    expect(lost).toEqual([["", undefined]]);
  });
});

describe("what was clicked meanwhile", () => {
  const given = { game: "abcdefgh", at: 3, key: "e2e4", label: "e2 to e4" };
  const refusal = () => Promise.reject(new Refusal({ code: 3, message: "the game has gone on" }));
  let reply: () => Promise<unknown> = () => Promise.resolve({});
  let asked: unknown[] = [];
  const made = () => {
    asked = [];
    return new Meanwhile((params) => {
      asked.push(params);
      return reply();
    });
  };
  const away = (wasSent: boolean) => () => Promise.reject(new ConnectionLost(wasSent));
  const taken = () => Promise.resolve({});

  it("is sent again, once, and said", async () => {
    const meanwhile = made();
    reply = away(true);
    await meanwhile.give(given);
    expect(meanwhile.news).toMatch(/“e2 to e4” is kept/);
    await meanwhile.give({ ...given, key: "d2d4", label: "another" });
    expect(meanwhile.news).toMatch(/“e2 to e4” was on its way/);
    await meanwhile.again("abcdefgh"); // lost once more
    reply = taken;
    await meanwhile.again("abcdefgh");
    expect(meanwhile.news).toBe("Your answer “e2 to e4” was sent again.");
    expect(asked).toEqual([1, 2, 3].map(() => ({ at: 3, key: "e2e4" })));
    await meanwhile.again("abcdefgh");
    expect([asked.length, meanwhile.news]).toEqual([3, ""]);
  });

  it("may be changed as long as it was not sent", async () => {
    const meanwhile = made();
    reply = away(false);
    await meanwhile.give(given);
    await meanwhile.give({ ...given, key: "d2d4", label: "d2 to d4" });
    reply = taken;
    await meanwhile.again("abcdefgh");
    expect(asked.at(-1)).toEqual({ at: 3, key: "d2d4" });
  });

  it("is said not to have been taken", async () => {
    const meanwhile = made();
    reply = away(true);
    await meanwhile.give(given);
    reply = refusal;
    await meanwhile.again("abcdefgh");
    expect(meanwhile.news).toBe("Your answer “e2 to e4” was not taken: the game has gone on.");
    reply = away(true);
    await meanwhile.give(given);
    await meanwhile.again("another1");
    expect(meanwhile.news).toMatch(/not taken: this is another game/);
  });

  it("is lost if it was no answer, and is said to be", async () => {
    const meanwhile = made();
    meanwhile.miss("game/undo");
    meanwhile.miss("game/hint");
    meanwhile.miss("jobs/list"); // the page asks for it by itself
    await meanwhile.again("abcdefgh");
    expect(meanwhile.news).toBe("Lost with the connection: Undo, the hint. Ask for it again.");
  });

  it("is said to be on its way if that takes long", async () => {
    vi.useFakeTimers();
    const meanwhile = made();
    let taken = (): void => undefined;
    reply = () => new Promise<void>((resolve) => (taken = resolve));
    const given_ = meanwhile.give(given);
    vi.advanceTimersByTime(10_000);
    expect(meanwhile.slow).toBe("e2 to e4");
    taken();
    await given_;
    expect(meanwhile.slow).toBe("");
    vi.useRealTimers();
  });

  it("is refused to who asked while the host is there; a second click is none", async () => {
    const meanwhile = made();
    reply = refusal;
    await expect(meanwhile.give(given)).rejects.toThrow("gone on");
    reply = taken;
    await Promise.all([meanwhile.give(given), meanwhile.give(given)]);
    expect(asked).toHaveLength(2);
  });
});
