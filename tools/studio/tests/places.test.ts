import { beforeEach, describe, expect, it } from "vitest";
import { Place } from "../src/protocol/places";

class Stored implements Storage {
  private readonly items = new Map<string, string>();
  get length(): number {
    return this.items.size;
  }
  key = (number: number) => [...this.items.keys()][number] ?? null;
  getItem = (name: string) => this.items.get(name) ?? null;
  setItem = (name: string, value: string) => void this.items.set(name, value);
  removeItem = (name: string) => void this.items.delete(name);
  clear = () => this.items.clear();
}

let browser = new Stored();
const opened = (path: string, window = new Stored()) => {
  history.replaceState(null, "", path);
  return new Place(location, history, [window, browser]);
};

describe("the place of a page", () => {
  beforeEach(() => (browser = new Stored()));

  it("takes secrets out of the address, and keeps them for the window and the browser", () => {
    const window = new Stored();
    expect(opened("/#token=secret-1_2", window).secret).toBe("secret-1_2");
    expect(location.hash).toBe("");
    expect(opened("/", window).secret).toBe("secret-1_2");
    expect(opened("/game/abcdefgh").secret).toBe("secret-1_2");
  });

  it("comes to a game by its key, and later without it", () => {
    const window = new Stored();
    const place = opened("/game/abcdefgh#key=seat1", window);
    expect([place.game, place.secret, location.pathname, location.hash]).toEqual([
      "abcdefgh",
      "seat1",
      "/game/abcdefgh",
      "",
    ]);
    expect(opened("/game/abcdefgh").secret).toBe("seat1");
    expect(opened("/game/another1").secret).toBe("");
    expect(opened("/").known()).toEqual(["abcdefgh"]);
  });

  it("lets each window play its own seat", () => {
    const [first, second] = [new Stored(), new Stored()];
    opened("/game/abcdefgh#key=seat1", first);
    opened("/game/abcdefgh#key=seat2", second);
    expect(opened("/game/abcdefgh", first).secret).toBe("seat1");
    expect(opened("/game/abcdefgh", second).secret).toBe("seat2");
  });

  it("stays the owner's, though a link was tried in another window", () => {
    const window = new Stored();
    opened("/#token=mine", window).isAt("abcdefgh");
    opened("/game/abcdefgh#key=seat2");
    const place = opened("/game/abcdefgh", window);
    expect(place.secret).toBe("mine");
    expect(place.next()).toBe(true); // if the studio knows it no more
    expect(place.secret).toBe("seat2");
    expect(place.next()).toBe(false);
  });

  it("forgets a link that was taken back", () => {
    const window = new Stored();
    opened("/game/abcdefgh#key=seat1", window).forgetKey();
    expect(opened("/game/abcdefgh", window).secret).toBe("");
  });

  it("lies anywhere behind a proxy", () => {
    const place = opened("/games/of/mine/game/abcdefgh#key=k");
    expect(place.base.pathname).toBe("/games/of/mine/");
    expect(place.socket("host", { session: "s" }).href).toMatch(/^ws:\/\/[^/]+\/games\/of\/mine\/host\?session=s$/);
    expect(place.linkTo("abcdefgh", "k2")).toMatch(/\/games\/of\/mine\/game\/abcdefgh#key=k2$/);
    place.goTo("ijklmnop", "k3");
    expect([location.pathname, place.secret]).toEqual(["/games/of/mine/game/ijklmnop", "k3"]);
    place.isAt("");
    expect(location.pathname).toBe("/games/of/mine/");
    expect(opened("/games/of/mine/index.html").base.pathname).toBe("/games/of/mine/");
  });
});
