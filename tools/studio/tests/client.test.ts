import { describe, expect, it } from "vitest";
import { Client, Refusal, type Carrier } from "../src/protocol/client";
import { beside, byThing, joined } from "../src/game/options";
import { startParams } from "../src/parts/start";

class Recorded implements Carrier {
  sent: { id?: number; method: string; params: unknown }[] = [];
  onText: (text: string) => void = () => undefined;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  say(message: object): void {
    this.onText(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}

describe("the client", () => {
  it("keeps its promises in any order", async () => {
    const carrier = new Recorded();
    const client = new Client(carrier, {});
    const first = client.ask("game/undo", {});
    const second = client.ask("games/copy", { label: "evening" });
    carrier.say({ id: 2, result: { game: "evening" } });
    carrier.say({ id: 1, error: { code: 3, message: "there is nothing to take back" } });
    expect(await second).toEqual({ game: "evening" });
    await expect(first).rejects.toThrow(Refusal);
  });

  it("hands on notifications, and stops what waits", async () => {
    const carrier = new Recorded();
    const stopped: string[] = [];
    const client = new Client(carrier, { "game/stopped": ({ error }) => stopped.push(error.message) });
    carrier.say({ method: "game/stopped", params: { error: { code: 2, message: "late" } } });
    carrier.say({ method: "of another version", params: {} });
    expect(stopped).toEqual(["late"]);
    const asked = client.ask("game/hint", {});
    client.cancel();
    expect(carrier.sent[1]).toEqual({ jsonrpc: "2.0", method: "cancel", params: { id: 1 } });
    expect(carrier.sent[2]).toEqual({ jsonrpc: "2.0", method: "cancel", params: {} });
    client.close();
    await expect(asked).rejects.toThrow("lost");
  });
});

describe("what the page works out", () => {
  const option = (key: string, ...things: string[]) => ({ key, label: key, word: false, things });

  it("finds options by what they stand for", () => {
    const options = [option("a", "x"), option("b", "x", "y"), option("c")];
    expect(
      byThing(options)
        .get("x")
        ?.map((one) => one.key),
    ).toEqual(["a", "b"]);
    expect(beside(options).map((one) => one.key)).toEqual(["c"]);
  });

  it("puts the log together", () => {
    expect(joined(["a", "b", "c"], 1, ["d"])).toEqual(["a", "d"]);
  });

  it("sends only what was chosen", () => {
    const choices = {
      players: 3,
      variants: ["Long"],
      options: { size: "4" },
      seats: ["person "],
      seed: "",
      viewer: "auto",
    };
    expect(startParams("chess", choices)).toEqual({
      ruleset: "chess",
      players: 3,
      variants: ["Long"],
      options: { size: "4" },
      seats: ["person"],
      viewer: "auto",
    });
    expect(startParams("chess", { ...choices, seed: "7" }).seed).toBe(7);
  });
});
