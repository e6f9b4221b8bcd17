// @vitest-environment node
import { describe, expect, it } from "vitest";
import { changedBy, linkedIn, linkTo, LONGEST } from "../src/links/link";

const PAGE = "https://games.example.org/mine/?from=mail#variant=old";
const TEXT = 'variant "Größer" of connect_four\n    set columns = 8\n';

async function hashOf(name: string, text: string): Promise<string> {
  return new URL((await linkTo(PAGE, { name, text })) ?? "").hash;
}

describe("a variant in a link", () => {
  it("arrives as it was sent", async () => {
    const link = (await linkTo(PAGE, { name: "larger-board", text: TEXT })) ?? "";
    expect(link).toMatch(/^https:\/\/games\.example\.org\/mine\/#variant=[\w-]+$/);
    expect(await linkedIn(new URL(link).hash)).toEqual({ variant: { name: "larger-board", text: TEXT } });
    expect(changedBy(TEXT)).toBe("connect_four");
  });

  it("is nothing without the word for it", async () => {
    expect(await linkedIn("")).toBeUndefined();
    expect(await linkedIn("#token=abc")).toBeUndefined();
  });

  it("is refused with one sentence if it is damaged", async () => {
    const whole = await hashOf("larger-board", TEXT);
    const damaged = [whole.slice(0, -9), "#variant=", "#variant=%%%", whole.replace(/.{4}$/, "AAAA"), "#variant=AAAA"];
    for (const hash of damaged) {
      const found = await linkedIn(hash);
      expect(found && "problem" in found && found.problem).toMatch(/damaged/);
    }
  });

  it("may be called anything that a host can make the name of a file of", async () => {
    expect(await linkedIn(await hashOf("Größer", TEXT))).toHaveProperty("variant");
    for (const name of ["", "a".repeat(201)]) {
      expect(await linkedIn(await hashOf(name, TEXT))).toHaveProperty("problem");
    }
  });

  it("is not made, and not read, if it is too long", async () => {
    const noise = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(LONGEST)));
    expect(await linkTo(PAGE, { name: "long", text: noise })).toBeUndefined();
    expect(await linkedIn(`#variant=${"A".repeat(LONGEST + 1)}`)).toHaveProperty("problem");
  });

  it("is refused if a short link stands for a large file", async () => {
    const found = await linkedIn(await hashOf("bomb", " ".repeat(5_000_000)));
    expect(found && "problem" in found && found.problem).toMatch(/too long/);
  });
});
