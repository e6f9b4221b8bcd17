import { expect, it, vi } from "vitest";
import { Resource } from "../src/game/resource.svelte";

it("what changes is asked anew, one at a time, and what is outdated is dropped", async () => {
  let of = $state<string>();
  const asked: string[] = [];
  const answers: ((told: string | undefined) => void)[] = [];
  let found: Resource<string, string> | undefined;
  const end = $effect.root(() => {
    found = new Resource(
      () => of,
      (one) => {
        asked.push(one);
        return new Promise((answer) => answers.push(answer));
      },
    );
  });
  await Promise.resolve();
  expect(asked).toEqual([]); // there is nothing to be asked for
  of = "a";
  await vi.waitFor(() => expect(asked).toEqual(["a"]));
  of = "b";
  await Promise.resolve();
  of = "c";
  await Promise.resolve();
  answers[0]?.("of a");
  await vi.waitFor(() => expect(asked).toEqual(["a", "c"]));
  expect(found?.now).toBeUndefined();
  answers[1]?.("of c");
  await vi.waitFor(() => expect(found?.now).toBe("of c"));
  of = "d";
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  answers[2]?.(undefined); // it was refused
  await Promise.resolve();
  expect([asked, found?.now]).toEqual([["a", "c", "d"], "of c"]);
  end();
});
