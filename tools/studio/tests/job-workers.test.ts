import { describe, expect, it } from "vitest";
import { JobWorkers } from "../src/hosts/job-workers";
import type { FromJob } from "../src/hosts/messages";

class Deaf {
  onmessage: (event: { data: FromJob }) => void = () => undefined;
  onerror: (event: { message: string }) => void = () => undefined;
  got: unknown[] = [];
  ended = 0;
  postMessage(message: unknown): void {
    this.got.push(message);
  }
  terminate(): void {
    this.ended++;
  }
}

describe("workers of jobs", () => {
  const made: Deaf[] = [];
  const heard: [number, FromJob][] = [];
  const jobs = new JobWorkers(
    "https://x.example/",
    (id, message) => heard.push([id, message]),
    () => {
      made.push(new Deaf());
      return made.at(-1) as unknown as Worker;
    },
  );

  it("tell which job has said something, and end alone", () => {
    jobs.begin(3, '["test"]', "{}");
    jobs.begin(4, '["fuzz"]', "{}");
    expect(made[0]?.got).toEqual([{ base: "https://x.example/", words: '["test"]', files: "{}" }]);
    made[1]?.onmessage({ data: { kind: "out", text: "so\n" } });
    made[0]?.onerror({ message: "" });
    expect(heard).toEqual([
      [4, { kind: "out", text: "so\n" }],
      [3, { kind: "broken", text: "its worker has ended\n" }],
    ]);
    jobs.end(3);
    jobs.end(3);
    expect(made.map((one) => one.ended)).toEqual([1, 0]);
  });
});
