import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createListMemory, itemOf } from "../../src/serve/memory-ports.testing.ts";
import { type ServedMemory, serveMemory } from "./serve-memory.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");

let served: ServedMemory;
let shop: string;

beforeAll(async () => {
  const memory = createListMemory(
    [
      itemOf(1, { title: "Cart total was wrong", success: false, project: "/srv/acme-shop" }),
      itemOf(2, { title: "Fixed the cart's total", project: "/srv/acme-shop" }),
      itemOf(3, { title: "Read the plans", sessionId: "s2", project: "/srv/blog" }),
    ],
    [
      {
        sessionId: "s1",
        project: "/srv/acme-shop",
        kind: "prompt",
        atIso: "2026-11-14T09:00:00.000Z",
        tokens: 9,
        items: [{ id: 1, title: "Cart total was wrong", why: "the prompt names it", tokens: 5 }],
      },
    ],
  );
  served = await serveMemory(memory);
  shop = join(served.root, "shop");
  mkdirSync(shop);
});
afterAll(() => served.close());

const run = (...args: readonly string[]) => runWith({}, ...args);

function runWith(more: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const env = {
    PATH: process.env["PATH"]!,
    HOME: served.root,
    HOOKLINE_HOME: served.home.dir,
    COLUMNS: "100",
    ...more,
  };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(BIN, args, { env, cwd: shop }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

describe("hookline search", () => {
  it("searches all projects when this folder is unknown, and says so", async () => {
    const { code, stdout, stderr } = await run("search", "cart", "total");
    const elsewhere = "no results in this project; these are from other projects";
    expect([code, stderr]).toEqual([0, `there is no embedder; ${elsewhere}\n`]);
    expect(stdout.split("\n")[0]).toMatch(
      /^1 {2}2026-11-14 \d\d:01 {2}command {5}Cart total was wrong +5 tok$/,
    );
    expect(JSON.parse((await run("search", "cart", "--json")).stdout).hits).toHaveLength(2);
  });

  it("prints our tag in an agent's shell, which is not remembered again", async () => {
    const { stdout } = await runWith({ CLAUDECODE: "1" }, "search", "cart", "total");
    expect(stdout).toMatch(/^<hookline-context>\n1 [^<]+\n<\/hookline-context>\n$/);
  });

  it("applies its filters", async () => {
    const ids = async (...args: string[]) =>
      JSON.parse((await run("search", ...args, "--json")).stdout).hits.map(({ id }: { id: number }) => id);
    const asked = [
      ["--failed"],
      ["cart", "--failed", "--all"],
      ["--project", "blog"],
      ["cart", "--limit", "1"],
    ];
    expect(await Promise.all(asked.map((args) => ids(...args)))).toEqual([[1], [1], [3], [1]]);
  });

  it("reports an invalid query", async () => {
    const wrong = [[], ["a", "--kind", "x"], ["a", "--since", "soon"], ["a", "--limit", "many"]];
    const runs = await Promise.all(wrong.map((args) => run("search", ...args)));
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(await run("search", "zebra")).toMatchObject({ code: 0, stdout: "" });
  });
});

it("timeline and observations continue from an id", async () => {
  expect((await run("timeline", "2", "--after", "0")).stdout).toMatch(/session s1\n {2}1 .*\n▸ 2 /);
  expect((await run("timeline", "the", "plans", "--json")).stdout).toContain('"anchor": 3');
  expect(await run("timeline", "99")).toMatchObject({ code: 1, stderr: "hookline: item 99 not found\n" });
  const { stdout, stderr } = await run("observations", "2", "77");
  expect(stdout).toContain("Fixed the cart's total");
  expect(stdout).toContain("12 passed");
  expect(stderr).toBe("There is no item 77.\n");
  expect((await run("observations", "x")).code).toBe(2);
});

it("context shows what would be injected, what was and why, and switches it", async () => {
  expect((await run("context", "--project", "acme-shop")).stdout).toContain("- Fixed the cart's total");
  expect((await run("context")).stdout).toContain(`Nothing would be injected at startup in ${shop}`);
  expect((await run("context", "--explain", "--all")).stdout).toContain("the prompt names it");
  expect(await run("context", "--explain", "--session", "zzzz")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("zzzz"),
  });
  expect((await run("context", "--off", "--project", "acme-shop")).stdout).toBe(
    "Turned off:\n  everything, in /srv/acme-shop\n",
  );
  expect((await run("context", "--project", "acme-shop")).stdout).toMatch(/^Nothing is injected at startup/);
  expect((await run("context", "--on", "--project", "/srv/acme-shop")).stdout).toBe(
    "Nothing is turned off.\n",
  );
  expect((await run("context", "--on", "--off")).code).toBe(2);
});

it("pins, edits, exports, imports and forgets", async () => {
  expect((await run("pin", "1")).stdout).toBe("Pinned: Cart total was wrong\n");
  expect((await run("edit", "1", "--title", "It rounded", "--text", "Twice.")).stdout).toContain("Twice.");
  expect((await run("edit", "1")).code).toBe(2);
  const exported = (await run("export", "--project", "acme-shop")).stdout;
  expect(exported.trimEnd().split("\n")).toHaveLength(2);
  expect(exported).toContain("It rounded");

  const file = join(served.root, "more.jsonl");
  writeFileSync(file, `${JSON.stringify(itemOf(50, { title: "Carried over" }))}\n`);
  expect((await run("import", "--memory", file)).stdout).toBe(`Imported 1 item from ${file}.\n`);
  expect(await run("import", "--memory", join(served.root, "none"))).toMatchObject({ code: 1 });
  expect((await run("import", "--claude-mem", "/x.db")).stdout).toContain("3 observations, 4 summaries");

  expect(await run("forget", "--id", "50")).toMatchObject({ code: 2, stdout: "" });
  expect((await run("forget", "--id", "50", "--dry-run")).stdout).toBe("Would forget 1 item, 1 event.\n");
  expect((await run("forget", "--id", "50", "--yes")).stdout).toBe("Forgot 1 item, 1 event.\n");
  expect((await run("forget", "--id", "50", "--yes")).stdout).toBe("Nothing to forget.\n");
});

it("mcp uses stdin and stdout for the protocol only", async () => {
  const ask = (id: number, method: string, params: object) =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const env = { PATH: process.env["PATH"]!, HOME: served.root, HOOKLINE_HOME: served.home.dir };
  const output = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const child = execFile(BIN, ["mcp"], { env }, (_error, stdout, stderr) => resolve({ stdout, stderr }));
    child.stdin!.end(
      `${ask(1, "tools/list", {})}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n` +
        `${ask(2, "tools/call", { name: "search", arguments: { query: "plans" } })}\n`,
    );
  });
  expect(output.stderr).toBe("");
  const answers = output.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  expect(JSON.stringify(answers)).toContain("Read the plans");
});
