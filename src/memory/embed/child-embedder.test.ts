import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../../../test/support/patience.ts";
import { type ChildEmbedder, type ChildEmbedderOptions, createChildEmbedder } from "./child-embedder.ts";
import { findLocalModel, type ModelFiles } from "./model-folder.ts";
import { findWeightsFault } from "./weights.testing.ts";

const found = findLocalModel();
const open: ChildEmbedder[] = [];

function start(options: ChildEmbedderOptions = {}, changes: Partial<ModelFiles> = {}): ChildEmbedder {
  if (found.type === "missing") throw new Error(found.why);
  const embedder = createChildEmbedder({ ...found.model, ...changes }, options);
  open.push(embedder);
  return embedder;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((embedder) => embedder.close()));
});

const manyTexts = Array.from(
  { length: 200 },
  (_, index) => `observation ${index}: ${"the server was restarted ".repeat(20)}`,
);

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

/** A child that was not reaped, because its thread has ended, stays listed as a zombie. */
function isAlive(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

async function until(condition: () => boolean, limitMs = PATIENCE_MS): Promise<void> {
  for (const end = performance.now() + limitMs; !condition(); await delay(10))
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${condition}`);
}

describe.skipIf(findWeightsFault() !== null)("createChildEmbedder", () => {
  it("returns unit vectors in input order, close for texts with similar meaning", async () => {
    const embedder = start();
    const [question, command, bread] = await embedder.embed([
      "how do I restart the server",
      "server restart command",
      "banana bread",
    ]);
    expect(cosine(question!, command!)).toBeGreaterThan(0.7);
    expect(cosine(question!, bread!)).toBeLessThan(0.2);
    expect([question!, command!, bread!].map((vector) => cosine(vector, vector))).toEqual(
      [1, 1, 1].map((one) => expect.closeTo(one, 5)),
    );
    expect(embedder.dimensions).toBe(384);
    expect(question).toHaveLength(384);
  });

  it("gives a text the same vector alone and in a batch, and accepts any string", async () => {
    const embedder = start();
    const texts = ["", "x".repeat(100_000), "서버를 다시 시작", "\0\ud83d", ...manyTexts.slice(0, 5)];
    const together = await embedder.embed(texts);
    expect(together).toHaveLength(texts.length);
    for (const [index, text] of texts.entries())
      expect(await embedder.embed([text]), text.slice(0, 20)).toEqual([together[index]]);
    expect(await embedder.embed([])).toEqual([]);
  });

  it("learns the dimensions of an unknown model", async () => {
    const embedder = start({}, { dimensions: null });
    expect(embedder.dimensions).toBeNull();
    await embedder.embed(["one"]);
    expect(embedder.dimensions).toBe(384);
  });

  it("answers a query before the rest of a batch", async () => {
    const embedder = start();
    const order: string[] = [];
    const batch = embedder.embed(manyTexts.slice(0, 40)).then(() => order.push("batch"));
    await until(() => embedder.isWarm());
    await embedder.embed(["a query"]).then(() => order.push("query"));
    await batch;
    expect(order).toEqual(["query", "batch"]);
  });

  it("starts on demand, stays warm, and exits when idle", async () => {
    const embedder = start({ idleMs: 1_000 });
    expect(embedder.isWarm()).toBe(false);
    embedder.warm();
    expect(embedder.isWarm()).toBe(false);
    await until(() => embedder.isWarm());
    const pid = embedder.pid()!;
    for (let round = 0; round < 4; round += 1) {
      await delay(400);
      embedder.warm();
    }
    expect(embedder.pid()).toBe(pid);
    await until(() => !isAlive(pid));
    expect(embedder.isWarm()).toBe(false);
    expect(await embedder.embed(["again"])).toHaveLength(1);
    expect(embedder.pid()).not.toBe(pid);
    expect(embedder.unavailableReason()).toBeNull();
  });

  it("rejects the running call when it is killed, and continues with the next", async () => {
    const embedder = start();
    const [running, waiting] = [embedder.embed(manyTexts), embedder.embed(manyTexts.slice(0, 2))];
    const outcome = running.catch((error: unknown) => error);
    await until(() => embedder.isWarm());
    await delay(100);
    process.kill(embedder.pid()!, "SIGKILL");
    expect(await outcome).toMatchObject({
      code: "embedder_failed",
      message: "the embedder failed: killed by SIGKILL",
    });
    expect(await waiting).toHaveLength(2);
    expect(await embedder.embed(["next"])).toHaveLength(1);
    expect(embedder.unavailableReason()).toBeNull();
  });

  it("is blocked for ten minutes after three crashes in a row", async () => {
    let nowMs = 0;
    const embedder = start({ clock: () => nowMs });
    const calls = [1, 2, 3, 4].map((number) =>
      embedder.embed(manyTexts.slice(0, number + 1)).catch((error) => error),
    );
    for (let round = 0; round < 3; round += 1) {
      const before = embedder.pid()!;
      process.kill(before, "SIGKILL");
      await until(() => embedder.pid() !== before);
    }
    const codes = (await Promise.all(calls)).map((error: { code: string }) => error.code);
    expect(codes).toEqual(["embedder_failed", "embedder_failed", "embedder_failed", "embedder_unavailable"]);
    expect(embedder.unavailableReason()).toContain("killed by SIGKILL");
    await expect(embedder.embed(["x"])).rejects.toThrow(/retrying in 10 min/);
    embedder.warm();
    expect(embedder.pid()).toBeUndefined();
    nowMs = 600_001;
    expect(embedder.unavailableReason()).toBeNull();
    expect(await embedder.embed(["x"])).toHaveLength(1);
  });

  it("reports why a model cannot be loaded", async () => {
    const broken = start({}, { onnxFile: import.meta.filename });
    await expect(broken.embed(["x"])).rejects.toThrow(/the embedder failed: .*(protobuf|failed)/i);
  });

  it("is killed when it hangs", async () => {
    const embedder = start({ answerMs: 10_000 });
    await embedder.embed(["warm"]);
    process.kill(embedder.pid()!, "SIGSTOP");
    await expect(embedder.embed(["x"])).rejects.toThrow("no answer for 10 s");
    expect(await embedder.embed(["x"])).toHaveLength(1);
  });

  it("aborts at once, before and while it runs", async () => {
    const embedder = start();
    const never = embedder.embed(["x"], { signal: AbortSignal.abort(new Error("too late")) });
    await expect(never).rejects.toThrow("too late");
    const controller = new AbortController();
    const [running, queued] = [manyTexts, manyTexts].map((texts) =>
      embedder.embed(texts, { signal: controller.signal }).catch((error: Error) => error.message),
    );
    await until(() => embedder.isWarm());
    await delay(100);
    controller.abort(new Error("cancelled"));
    expect(await Promise.all([running, queued])).toEqual(["cancelled", "cancelled"]);
    expect(await embedder.embed(["x"])).toHaveLength(1);
  });

  it("rejects pending calls when closed, and leaves no process", async () => {
    const embedder = start();
    const pending = embedder.embed(manyTexts).catch((error: unknown) => error);
    await until(() => embedder.isWarm());
    const pid = embedder.pid()!;
    await embedder.close();
    expect(isAlive(pid)).toBe(false);
    expect(await pending).toMatchObject({ code: "embedder_closed" });
    await expect(embedder.embed(["x"])).rejects.toMatchObject({ code: "embedder_closed" });
  });

  const program = `
    const { createChildEmbedder } = await import(${JSON.stringify(join(import.meta.dirname, "child-embedder.ts"))});
    const embedder = createChildEmbedder(${JSON.stringify(found.type === "found" ? found.model : null)});
    const [vector] = await embedder.embed(["a"]);
  `;

  it("exits with its parent, even in the middle of its work", async () => {
    const parent = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `${program} void embedder.embed(${JSON.stringify(manyTexts)}); console.log(embedder.pid());`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const output = await new Promise<Buffer>((resolve) => parent.stdout.once("data", resolve));
    const pid = Number(output.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await until(() => !isAlive(pid), 5_000);
  });

  it("does not keep an idle program alive", async () => {
    const parent = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
    expect(await new Promise((resolve) => parent.once("exit", resolve))).toBe(0);
  });

  it("works in a worker thread, and exits with it", async () => {
    const source = `(async () => { ${program} require("node:worker_threads").parentPort.postMessage([vector.length, embedder.pid()]);
      setInterval(() => {}, 1_000); })();`;
    const worker = new Worker(source, { eval: true });
    const [length, pid] = await new Promise<[number, number]>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    expect(length).toBe(384);
    expect(isAlive(pid)).toBe(true);
    await worker.terminate();
    await until(() => !isAlive(pid), 5_000);
  });
});
