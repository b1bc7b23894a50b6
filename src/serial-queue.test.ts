import { describe, expect, it } from "vitest";
import { createKeyedQueue, createSerialQueue } from "./serial-queue.ts";

/** A task that records when it starts, and ends when told to. */
function createTask(
  log: string[],
  name: string,
): { run: () => Promise<string>; end: (error?: Error) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    run: () => {
      log.push(name);
      return promise;
    },
    end: (error) => (error === undefined ? resolve(name) : reject(error)),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createSerialQueue", () => {
  it("starts a task when the one before it has ended, also after a failure", async () => {
    const log: string[] = [];
    const queue = createSerialQueue();
    const [a, b] = [createTask(log, "a"), createTask(log, "b")];
    const results = [queue.run(a.run), queue.run(b.run)];
    const idle = queue.idle().then(() => log.push("idle"));
    await settle();
    expect(log).toEqual(["a"]);
    a.end(new Error("no"));
    await expect(results[0]).rejects.toThrow("no");
    await settle();
    expect(log).toEqual(["a", "b"]);
    b.end();
    expect(await results[1]).toBe("b");
    await idle;
    expect(log).toEqual(["a", "b", "idle"]);
  });
});

describe("createKeyedQueue", () => {
  it("keeps the order within a key, and runs other keys meanwhile", async () => {
    const log: string[] = [];
    const run = createKeyedQueue();
    const [a, b, other] = ["a", "b", "other"].map((name) => createTask(log, name));
    const first = run("x", a!.run);
    const second = run("x", b!.run);
    const third = run("y", other!.run);
    await settle();
    expect(log).toEqual(["a", "other"]);
    a!.end(new Error("no"));
    await expect(first).rejects.toThrow("no");
    await settle();
    expect(log).toEqual(["a", "other", "b"]);
    b!.end();
    other!.end();
    expect(await Promise.all([second, third])).toEqual(["b", "other"]);
  });
});
