import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { ImportResult } from "../../src/serve/contract.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
afterEach(() => hookline.close());

const PROJECTS = join(import.meta.dirname, "../fixtures/claude/runs/mcp/projects/-home-dev-acme-shop");

it("imports complete lines of a transcript, and a partial last line at the next import", async () => {
  const [name] = readdirSync(PROJECTS).filter((file) => file.endsWith(".jsonl"));
  const content = readFileSync(join(PROJECTS, name!));

  hookline = openHookline();
  const root = join(hookline.root, "projects");
  mkdirSync(join(root, "p"), { recursive: true });
  const path = join(root, "p", name!);
  writeFileSync(path, content);
  await hookline.start();
  await importFrom(root);
  const expected = rows();
  expect(expected["observations"]).toContain("tool_name");
  await hookline.close();

  // Truncated in the middle of many lines; the last import sees the whole file.
  hookline = openHookline();
  const copy = join(hookline.root, "projects");
  mkdirSync(join(copy, "p"), { recursive: true });
  await hookline.start();
  const sizes = Array.from({ length: 9 }, (_, i) => Math.floor((content.length * (i + 1)) / 9.7));
  for (const size of [...sizes, content.length]) {
    writeFileSync(join(copy, "p", name!), content.subarray(0, size), {
      flag: size === sizes[0] ? "w" : "r+",
    });
    expect(await importFrom(copy)).toMatchObject({ badLines: 0 });
  }
  expect(await importFrom(copy)).toMatchObject({ events: 0 });
  expect(rows()).toEqual(expected);
  expect(await hookline.status()).toMatchObject({ quarantined: 0 });
});

function importFrom(root: string): Promise<ImportResult> {
  return hookline.ask<ImportResult>("POST", "/api/import", { root });
}

/** Each table as text, without the scratch folder's name. */
function rows(): Record<string, string> {
  const tables = Object.entries(hookline.dump()).filter(([name]) => name !== "lifecycle_stream_offsets");
  return Object.fromEntries(
    tables.map(([name, found]) => [name, JSON.stringify(found, null, 1).replaceAll(hookline.root, "")]),
  );
}

it("reads a foreign stream: torn lines wait, bad ones are quarantined, truncation is noticed, kills repeat nothing", async () => {
  const line = (session: string): string =>
    `${JSON.stringify({
      eventType: "session.lifecycle",
      phase: "started",
      occurredAtIso: "2026-01-01T00:00:00.000Z",
      sessionId: session,
    })}\n`;
  hookline = openHookline();
  const path = join(hookline.root, "theirs", "lifecycle.jsonl");
  mkdirSync(join(hookline.root, "theirs"));
  writeFileSync(hookline.home.configFile, JSON.stringify({ streams: [path], memory: { embedder: null } }));
  const sessions = (): unknown[] =>
    hookline.query("SELECT session_id AS s FROM events ORDER BY 1").map(({ s }) => s);

  let daemon = await hookline.start();
  writeFileSync(path, `${line("a")}${line("b")}no event\n${line("c").slice(0, 30)}`);
  expect(await hookline.settle()).toMatchObject({ quarantined: 1 });
  expect(sessions()).toEqual(["a", "b"]);
  await daemon.kill();

  appendFileSync(path, line("c").slice(30));
  daemon = await hookline.start();
  await hookline.settle();
  expect(sessions()).toEqual(["a", "b", "c"]);

  truncateSync(path, 0);
  appendFileSync(path, line("d") + line("e") + line("f") + line("g") + line("h"));
  await hookline.settle();
  expect(sessions()).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);

  await daemon.kill();
  rmSync(path);
  writeFileSync(path, line("i") + line("a"));
  await hookline.start();
  expect(await hookline.settle()).toMatchObject({ quarantined: 1, events: 9 });
  expect(sessions()).toEqual(["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
  const before = hookline.dump();
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(hookline.dump()).toEqual(before);
});
