import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import { toLine } from "../../src/event/line.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { realRun, varied } from "./payloads.ts";

let hookline: Hookline;
afterEach(() => hookline.close());

const DAY_MS = 24 * 3_600_000;

/** The log lines of one real run, moved to this session and this many days ago. */
function linesOf(session: string, daysAgo: number): string[] {
  const acceptor = createAcceptor({ mayRecord: () => true });
  return realRun("skill").flatMap(({ payload }, index) => {
    const time = new Date(Date.now() - daysAgo * DAY_MS + index * 1_000);
    const delivery = {
      payload: varied(payload, session, session),
      env: {},
      name: `1-${index}-0`,
      timeNs: `${time.getTime()}000000`,
      occurredAtIso: time.toISOString(),
      contentHash: () => session,
      pid: 1,
    };
    return acceptor.accept(claude.translateHook(delivery, (cwd) => cwd)).map(toLine);
  });
}

/** A log of two closed segments and an active one, in each of which old and new sessions are mixed. */
function writeLog(sessions: number): void {
  mkdirSync(hookline.home.stream, { recursive: true });
  const names = ["lifecycle-1.jsonl", "lifecycle-2.jsonl", "lifecycle.jsonl"];
  for (const [part, name] of names.entries()) {
    const lines = Array.from({ length: sessions }, (_, i) => [
      ...linesOf(`old-${part}-${i}-`, 90),
      ...linesOf(`new-${part}-${i}-`, 2),
    ]).flat();
    writeFileSync(join(hookline.home.stream, name), `${lines.join("\n")}\n`);
  }
}

/** Compression runs in parallel: until it is done, file names in the folder change. */
async function compressed(): Promise<void> {
  const isPlain = (name: string): boolean => /-\d+\.jsonl$|\.partial$/.test(name);
  await expect.poll(() => readdirSync(hookline.home.stream).filter(isPlain)).toEqual([]);
}

function logText(): string {
  return readdirSync(hookline.home.stream)
    .map((name) => {
      const content = readFileSync(join(hookline.home.stream, name));
      return (name.endsWith(".zst") ? zstdDecompressSync(content) : content).toString("utf8");
    })
    .join("");
}

function databaseText(): string {
  const tables = hookline.query("SELECT name FROM sqlite_master WHERE type = 'table'");
  return tables.map(({ name }) => JSON.stringify(hookline.query(`SELECT * FROM "${String(name)}"`))).join("");
}

/** Everything stored of a session. */
function countsOf(sessionId: string): { facts: number; lines: number } {
  const found = hookline.query("SELECT count(*) AS n FROM facts WHERE session_id = ?", sessionId);
  const lines = logText().split(`"sessionId":"${sessionId}"`).length - 1;
  return { facts: Number(found[0]!["n"]), lines };
}

function setRetention(days: number | null): void {
  writeFileSync(
    hookline.home.configFile,
    JSON.stringify({ retentionDays: days, memory: { embedder: null } }),
  );
}

async function expectOnlyNew(sessions: number): Promise<void> {
  // Removing a lot must not delay a start.
  await expect.poll(async () => (await hookline.settle()).sessions).toBe(sessions);
  const status = await hookline.settle();
  await compressed();
  expect(logText()).not.toContain("old-");
  expect(databaseText()).not.toContain("old-");
  const before = hookline.dump();
  // Positions stay valid: new events are applied, and a rebuild reads the erased log to the same rows.
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(hookline.dump()).toEqual(before);
  await hookline.fire({ hook_event_name: "Stop", session_id: "next" });
  expect((await hookline.settle()).events).toBe(status.events + 1);
}

it("removes old sessions from log, compressed log and database together", async () => {
  hookline = openHookline();
  writeLog(5);
  const first = await hookline.start();
  expect(await hookline.settle()).toMatchObject({ sessions: 30 });
  await compressed();
  await first.kill("SIGTERM");
  setRetention(30);
  await hookline.start();
  await expectOnlyNew(15);
});

it("finishes an interrupted removal at the next start", async () => {
  hookline = openHookline();
  writeLog(1);
  const first = await hookline.start();
  await hookline.settle();
  await first.kill();
  const db = new DatabaseSync(hookline.home.db);
  for (const part of [0, 1, 2])
    db.prepare("INSERT INTO removals (session_id, asked_at_iso) VALUES (?, ?)").run(
      `old-${part}-0-`,
      new Date(Date.now() - DAY_MS).toISOString(),
    );
  db.close();
  await hookline.start();
  await expectOnlyNew(3);
});

it("keeps a session complete that returned in the spool while the daemon was down", async () => {
  hookline = openHookline();
  writeLog(1);
  const first = await hookline.start();
  await hookline.settle();
  const before = countsOf("old-0-0-");
  await first.kill("SIGTERM");
  setRetention(30);
  await hookline.fire({ hook_event_name: "UserPromptSubmit", session_id: "old-0-0-", prompt: "back again" });
  await hookline.start();
  await expect.poll(async () => (await hookline.settle()).sessions).toBe(4);
  await hookline.settle();
  expect(countsOf("old-0-0-")).toEqual({ facts: before.facts + 1, lines: before.lines + 1 });
  expect(logText()).toContain("back again");
  expect(countsOf("old-1-0-")).toEqual({ facts: 0, lines: 0 });
});

it("keeps a session complete that returned after the daemon was killed while removing it", async () => {
  hookline = openHookline();
  writeLog(1);
  const first = await hookline.start();
  await hookline.settle();
  const { facts } = countsOf("old-2-0-");
  await compressed();
  await hookline.fire({ hook_event_name: "UserPromptSubmit", session_id: "old-2-0-", prompt: "back again" });
  await hookline.settle();
  await first.kill();
  const db = new DatabaseSync(hookline.home.db);
  const asked = db.prepare("INSERT INTO removals (session_id, asked_at_iso) VALUES (?, ?)");
  asked.run("old-2-0-", new Date(Date.now() - DAY_MS).toISOString());
  db.close();
  // It had started to erase.
  const active = join(hookline.home.stream, "lifecycle.jsonl");
  const erased = readFileSync(active, "utf8").replace(/^.*"old-2-0-".*$/m, (line) =>
    " ".repeat(Buffer.byteLength(line)),
  );
  writeFileSync(active, erased);
  setRetention(30);
  await hookline.start();
  await expect.poll(async () => (await hookline.settle()).sessions).toBe(4);
  await hookline.settle();
  expect(countsOf("old-2-0-").facts).toBe(facts + 1);
  expect(hookline.query("SELECT * FROM removals")).toEqual([]);
  const before = hookline.dump();
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  expect(hookline.dump()).toEqual(before);
});

it("finishes even when killed repeatedly midway", async () => {
  hookline = openHookline();
  writeLog(40);
  const first = await hookline.start();
  await hookline.settle();
  await first.kill();
  setRetention(30);
  for (let kill = 0; kill < 8; kill++) {
    const daemon = hookline.spawn();
    await setTimeout(150 + kill * 40 + Math.random() * 60);
    await daemon.kill();
  }
  await hookline.start();
  await expectOnlyNew(120);
});
