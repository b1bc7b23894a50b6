import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import type { NewEvent } from "../../src/event/event.ts";
import { callFactId, factId } from "../../src/event/ids.ts";
import { memoryItemEvent } from "../../src/event/memory-events.ts";
import { type ForgetPorts, forgetFacts } from "../../src/store/forget-facts.ts";
import { allBytes } from "../support/cli.ts";
import { type ForgetHome, openForgetHome } from "../support/forget-home.ts";
import { dumpTables } from "../support/pipeline.ts";

let at: ForgetHome;
afterEach(() => at.close());

/** Files under the home that contain a text, in any case. */
function filesWith(text: string): string[] {
  const small = text.toLowerCase();
  return allBytes(at.home.dir)
    .filter(({ bytes }) => bytes.toString("latin1").toLowerCase().includes(small))
    .map(({ path }) => path.slice(at.home.dir.length + 1));
}

async function recorded(): Promise<void> {
  at = await openForgetHome();
  await at.ingestHooks("tools");
  await at.importTranscripts("tools");
  await at.remember();
  await at.log.runExclusive(async () => undefined);
}

/** The recorded events, without those of memory itself. */
const TOLD = "facts WHERE event_type NOT LIKE 'memory.%'";

function count(sql: string): number {
  return Number(at.keeper.store.db.sql(`SELECT count(*) AS n FROM ${sql}`).get()?.["n"]);
}

/** All tables except the tombstones, which contain a time. */
function dump(): Record<string, unknown[]> {
  const { events, lifecycle_stream_offsets: _offsets, ...others } = dumpTables(at.keeper.store);
  const told = (events as { event_type: string }[]).filter(
    ({ event_type }) => event_type !== "memory.forgotten",
  );
  return { ...others, events: told };
}

describe("forgetting a text", () => {
  it("leaves the text in no byte under the home, also after a rebuild, an import of the same transcripts and a restart", async () => {
    await recorded();
    expect(filesWith("anvils").length).toBeGreaterThan(1);
    const before = count(TOLD);
    const report = await forgetFacts({ match: "Anvils" }, at.ports);
    expect(report.facts).toBeGreaterThan(5);
    expect(report.items).toBeGreaterThan(2);
    expect(filesWith("anvils")).toEqual([]);
    expect(count(TOLD)).toBe(before);
    await at.ingestHooks("tools");
    await at.importTranscripts("tools");
    await at.remember();
    expect(filesWith("anvils")).toEqual([]);
    const after = dump();
    await at.keeper.rebuild();
    await at.remember();
    expect(filesWith("anvils")).toEqual([]);
    expect(dump()).toEqual(after);
    at = await at.restart();
    await at.importTranscripts("tools");
    expect(filesWith("anvils")).toEqual([]);
    expect(dump()).toEqual(after);
  });

  it("gives the same result when the text is forgotten before it is first reported", async () => {
    await recorded();
    await forgetFacts({ match: "anvils" }, at.ports);
    await at.remember();
    const after = dump();
    await at.close();
    at = await openForgetHome();
    expect(await forgetFacts({ match: "anvils" }, at.ports)).toMatchObject({ facts: 0 });
    await at.importTranscripts("tools");
    await at.ingestHooks("tools");
    await at.remember();
    expect(filesWith("anvils")).toEqual([]);
    expect(dump()).toEqual(after);
  });

  it("only counts in a dry run", async () => {
    await recorded();
    const before = allBytes(at.home.dir).map(({ path, bytes }) => [path, bytes.length]);
    const would = await forgetFacts({ match: "anvils" }, at.ports, true);
    expect(would).toMatchObject({ dryRun: true });
    expect(allBytes(at.home.dir).map(({ path, bytes }) => [path, bytes.length])).toEqual(before);
    const done = await forgetFacts({ match: "anvils" }, at.ports);
    expect(done).toEqual({ ...would, dryRun: false });
  });

  it("counts every removed item, also the summary of a turn that becomes empty", async () => {
    at = await openForgetHome();
    const turn = (promptId: string, prompt: string, answer: string): NewEvent[] => [
      said(promptId, "turn.start", 0, { prompt }),
      said(promptId, "turn.end", 9, { lastAssistantMessage: answer }),
    ];
    await at.record([
      ...turn("p1", "remember the walrus", "I know the walrus now."),
      ...turn("p2", "remember the walrus", "Noted."),
      ...turn("p3", "remember the otter", "Noted."),
      ...turn("p4", "count each walrus", "There is one walrus."),
      { ...toolEnd("a", { toolInput: { command: "ls" }, toolOutput: "a.txt" }), promptId: "p4" },
    ]);
    await at.remember();
    const items = count("memory_items");
    const would = await forgetFacts({ match: "walrus" }, at.ports, true);
    expect(count("memory_items")).toBe(items);
    const done = await forgetFacts({ match: "walrus" }, at.ports);
    await at.remember();
    expect(done.items).toBe(items - count("memory_items"));
    expect(would.items).toBe(done.items);
    expect(done.items).toBeGreaterThanOrEqual(4);
    expect(count("memory_items WHERE title = 'Turn without text'")).toBe(0);
  });

  it("finds it in any case, across white space, and in JSON inside a string", async () => {
    at = await openForgetHome();
    const inner = JSON.stringify({ told: JSON.stringify({ deep: 'the "blue  door"\nis 비밀번호' }) });
    await at.record([
      toolEnd("a", { toolOutput: inner }),
      toolEnd("b", { toolInput: { note: 'THE "Blue\n Door" IS 비밀번호'.normalize("NFD") } }),
      toolEnd("c", { toolInput: { big: `${"x".repeat(300_000)} the "blue door" is 비밀번호` } }),
      toolEnd("d", { toolInput: { 'the "blue door" is 비밀번호': 1 } }),
      toolEnd("e", { toolOutput: "the blue door is 비밀번호" }),
    ]);
    const report = await forgetFacts({ match: 'the "blue door" is 비밀번호' }, at.ports);
    expect(report.items).toBe(0);
    expect(outputs()).toEqual({ a: null, b: null, c: null, d: null, e: "the blue door is 비밀번호" });
    expect(count("blobs")).toBe(0);
  });

  it("removes it from files beside log and database, and names a foreign file that it cannot edit", async () => {
    await recorded();
    const put = (path: string, text: string): void => {
      mkdirSync(join(at.home.dir, path, ".."), { recursive: true });
      writeFileSync(join(at.home.dir, path), text);
    };
    put("quarantine/bad-1.json", "see the ANVILS");
    put("quarantine/bad-2.json", "see the hammers");
    put("context/home/dev/acme-shop/startup.json", "anvils");
    put("logs/daemon.log", "one\ntwo anvils\nthree\n");
    put("logs/archive/notes.txt", "hammers");
    put("hookline.db.corrupt-1", "anvils");
    put("stream/lifecycle-1.jsonl.zst.partial", "anvils");
    await forgetFacts({ match: "anvils" }, at.ports);
    expect(filesWith("anvils")).toEqual([]);
    expect(filesWith("hammers").sort()).toEqual(["logs/archive/notes.txt", "quarantine/bad-2.json"]);
    expect(filesWith("one\nthree\n")).toEqual(["logs/daemon.log"]);
    put("config.json", '{"exclude":["/anvils"]}');
    await expect(forgetFacts({ match: "anvils" }, at.ports)).rejects.toThrow(/config\.json/);
  });

  it("quarantines nothing that contains it", async () => {
    at = await openForgetHome();
    const root = mkdtempSync(join(tmpdir(), "hookline-torn-"));
    writeFileSync(join(root, "torn.jsonl"), '{"type":"user","message":"the anvils\\n{"torn"\n{"hammers\n');
    await forgetFacts({ match: "anvils" }, at.ports);
    await at.importTranscripts("", root);
    rmSync(root, { recursive: true, force: true });
    expect(filesWith("anvils")).toEqual([]);
    expect(filesWith("hammers").length).toBe(1);
  });

  it("drops values whose key would reveal it", async () => {
    await recorded();
    const before = count(TOLD);
    await forgetFacts({ match: "acme-shop/src" }, at.ports);
    expect(filesWith("acme-shop/src")).toEqual([]);
    expect(count(TOLD)).toBeLessThan(before);
    const after = dump();
    await at.keeper.rebuild();
    await at.remember();
    expect(dump()).toEqual(after);
  });

  it("records it again afterwards", async () => {
    await recorded();
    await forgetFacts({ match: "anvils" }, at.ports);
    await at.record([toolEnd("later", { toolOutput: "anvils" }, new Date(Date.now() + 1_000).toISOString())]);
    expect(outputs()["later"]).toBe("anvils");
  });

  it("also removes it from a call that ends later", async () => {
    at = await openForgetHome();
    const toolInput = { command: "hookline forget --match s3same" };
    await at.record([
      { ...toolEnd("t", { toolInput }), id: callFactId(callOf("t"), "start"), eventType: "tool.start" },
    ]);
    await forgetFacts({ match: "s3same" }, at.ports);
    await at.record([toolEnd("t", { toolInput }, new Date(Date.now() + 1_000).toISOString())]);
    expect(filesWith("s3same")).toEqual([]);
  });

  it.each(["claude", "2026", "bash", "command", "stream"])(
    "does not match every event for «%s»",
    async (match) => {
      await recorded();
      const all = count(TOLD);
      const would = await forgetFacts({ match }, at.ports, true);
      expect(would.facts).toBeLessThan(all / 4);
      if (would.facts === 0)
        await expect(forgetFacts({ match }, at.ports)).rejects.toMatchObject({ code: "forget_left" });
      expect(count(TOLD)).toBe(all);
    },
  );

  it("refuses a text that matches nearly everything", async () => {
    at = await openForgetHome();
    for (const match of ["", "  ", "ab", " a  "])
      await expect(forgetFacts({ match }, at.ports)).rejects.toMatchObject({ code: /^forget_/ });
    await expect(forgetFacts({}, at.ports)).rejects.toMatchObject({ code: "forget_nothing" });
  });
});

it("reports a reader that blocks the database, and finishes at the next start", async () => {
  await recorded();
  const reader = new DatabaseSync(at.home.db, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM facts").get();
  await expect(forgetFacts({ match: "anvils" }, at.ports)).rejects.toMatchObject({
    code: "forget_unfinished",
  });
  reader.close();
  at = await at.restart();
  expect(filesWith("anvils")).toEqual([]);
  expect(await at.keeper.store.forgetting.pendingErasures()).toEqual([]);
});

describe("forgetting while matching events keep arriving", () => {
  /** Ports through which another event about the file arrives in every round. */
  function portsWithArrivals(atIso?: () => string): ForgetPorts {
    let arrived = 0;
    return {
      ...at.ports,
      async rebuildItems() {
        await at.ports.rebuildItems();
        await at.record([
          toolEnd(`late-${++arrived}`, { toolInput: { file_path: "/x/plan.md" } }, atIso?.()),
        ]);
      },
    };
  }

  it("reports older ones that are left, such as those of a running import", async () => {
    at = await openForgetHome();
    await at.record([toolEnd("first", { toolInput: { file_path: "/x/plan.md" } })]);
    await expect(forgetFacts({ file: "plan.md" }, portsWithArrivals())).rejects.toMatchObject({
      code: "forget_unfinished",
    });
    await forgetFacts({ file: "plan.md" }, at.ports);
    expect(await forgetFacts({ file: "plan.md" }, at.ports)).toMatchObject({ facts: 0 });
  });

  it("succeeds if only newer ones are left, and does not count them", async () => {
    at = await openForgetHome();
    await at.record([toolEnd("first", { toolInput: { file_path: "/x/plan.md" } })]);
    const later = (): string => new Date(Date.now() + 60_000).toISOString();
    const report = await forgetFacts({ file: "plan.md" }, portsWithArrivals(later));
    expect(report.facts).toBe(4);
  });
});

describe("forgetting that is killed midway", () => {
  const STEPS = ["erase", "rebuildItems", "scrubIndex", "done"] as const;

  it.each(STEPS)("at «%s» is finished at the next start", async (step) => {
    await recorded();
    const killed = (): Promise<never> => Promise.reject(new Error("killed"));
    let appends = 0;
    const ports = {
      ...at.ports,
      ...(step === "erase" && { log: { ...at.ports.log, erase: killed } }),
      ...(step === "rebuildItems" && { rebuildItems: killed }),
      ...(step === "scrubIndex" && { scrubIndex: killed }),
      ...(step === "done" && {
        append: (...given: Parameters<typeof at.ports.append>) =>
          ++appends === 1 ? at.ports.append(...given) : killed(),
      }),
    };
    await expect(forgetFacts({ match: "anvils" }, ports)).rejects.toThrow("killed");
    // Meanwhile others continue, with what was recorded before.
    await at.importTranscripts("tools");
    at = await at.restart();
    expect(filesWith("anvils")).toEqual([]);
    expect(await at.keeper.store.forgetting.pendingErasures()).toEqual([]);
    await at.remember();
    const after = dump();
    await at.keeper.rebuild();
    await at.remember();
    expect(dump()).toEqual(after);
  });
});

describe("forgetting by", () => {
  it("id removes everything about a call, also from an export, and leaves the rest of its turn", async () => {
    await recorded();
    const id = itemOf("Grep");
    const calls = count("observations");
    expect(await forgetFacts({ ids: [id] }, at.ports)).toMatchObject({ sessions: 0, items: 1 });
    await at.remember();
    expect(count(`memory_items WHERE id = ${id}`)).toBe(0);
    expect(count("observations")).toBe(calls - 1);
    const sibling = at.keeper.store.db
      .sql("SELECT event_json, payload_json FROM facts WHERE event_json LIKE '%\"forgotten\":true%'")
      .all();
    expect(sibling.length).toBe(2);
    expect(JSON.stringify(sibling)).not.toContain("anvils");
    await at.record([
      memoryItemEvent(
        { sessionId: SESSION, projectPath: "/home/dev/acme-shop", occurredAtIso: "2026-11-15T03:04:00.000Z" },
        id,
        "import",
        { content: { title: "back again" } },
      ),
    ]);
    expect(filesWith("back again")).toEqual([]);
  });

  it("the id of a prompt leaves its turn as it is", async () => {
    await recorded();
    const [prompt] = at.keeper.store.db.sql("SELECT id, prompt FROM user_prompts").all();
    const calls = count("observations");
    await forgetFacts({ ids: [prompt!["id"] as number] }, at.ports);
    expect(filesWith("try all tools")).toEqual([]);
    expect(count("observations")).toBe(calls);
    const after = dump();
    await at.keeper.rebuild();
    await at.remember();
    expect(dump()).toEqual(after);
    expect(count("observations")).toBe(calls);
  });

  it("the id of a summary removes the end of the turn", async () => {
    await recorded();
    const summary = at.keeper.store.db.sql("SELECT id FROM memory_items WHERE kind = 'summary'").get();
    await forgetFacts({ ids: [summary!["id"] as number] }, at.ports);
    const ends = at.keeper.store.db.sql("SELECT event_json FROM facts WHERE event_type = 'turn.end'").all();
    expect(JSON.stringify(ends)).not.toContain("All tools tried");
  });

  it("the id of a summary counts it, and it is not derived again", async () => {
    await recorded();
    const row = at.keeper.store.db.sql("SELECT id FROM memory_items WHERE kind = 'summary'").get();
    const id = row!["id"] as number;
    const others = count(`memory_items WHERE id <> ${id}`);
    const expectGone = (): void => {
      expect(count(`memory_items WHERE id = ${id}`)).toBe(0);
      expect(count(`session_summaries WHERE id = ${id}`)).toBe(0);
      expect(count("memory_items")).toBe(others);
    };
    const would = await forgetFacts({ ids: [id] }, at.ports, true);
    expect(would).toMatchObject({ sessions: 0, items: 1, dryRun: true });
    expect(await forgetFacts({ ids: [id] }, at.ports)).toEqual({ ...would, dryRun: false });
    await at.remember();
    expectGone();
    await at.ingestHooks("tools");
    await at.importTranscripts("tools");
    await at.remember();
    expectGone();
    await at.keeper.rebuild();
    await at.remember();
    expectGone();
    at = await at.restart();
    await at.importTranscripts("tools");
    await at.remember();
    expectGone();
    expect(await forgetFacts({ ids: [id] }, at.ports)).toMatchObject({ facts: 0, items: 0 });
  });

  it("id removes an imported summary, which a later transcript does not restore", async () => {
    await recorded();
    const [summary] = at.keeper.store.db.sql("SELECT * FROM memory_items WHERE kind = 'summary'").all();
    const id = summary!["id"] as number;
    await at.close();
    at = await openForgetHome();
    await at.record([
      memoryItemEvent(
        { sessionId: SESSION, projectPath: "/home/dev/acme-shop", occurredAtIso: "2026-11-15T03:04:00.000Z" },
        id,
        "import",
        { kind: "summary", content: JSON.parse(summary!["content_json"] as string) },
      ),
    ]);
    await at.remember();
    expect(count(`memory_items WHERE id = ${id}`)).toBe(1);
    expect(await forgetFacts({ ids: [id] }, at.ports)).toMatchObject({ items: 1 });
    await at.importTranscripts("tools");
    await at.ingestHooks("tools");
    await at.remember();
    expect(count("memory_items")).toBeGreaterThan(5);
    expect(count(`memory_items WHERE id = ${id}`)).toBe(0);
  });

  it("the id of a summary with other criteria removes it only where it meets them", async () => {
    await recorded();
    const row = at.keeper.store.db.sql("SELECT id, title FROM memory_items WHERE kind = 'summary'").get();
    const id = row!["id"] as number;
    const missed = [
      { session: "another" },
      { beforeIso: "2026-01-01T00:00:00.000Z" },
      { match: "no such words" },
      { file: "nowhere.md" },
    ];
    for (const other of missed)
      expect(await forgetFacts({ ids: [id], ...other }, at.ports)).toMatchObject({ items: 0 });
    expect(count(`memory_items WHERE id = ${id}`)).toBe(1);
    const match = row!["title"] as string;
    expect(await forgetFacts({ ids: [id], session: SESSION, match }, at.ports)).toMatchObject({ items: 1 });
    await at.remember();
    expect(count(`memory_items WHERE id = ${id}`)).toBe(0);
  });

  it("session removes it from log, database and memory; later events are recorded", async () => {
    await recorded();
    await at.ingestHooks("skill");
    expect(await forgetFacts({ session: SESSION }, at.ports)).toMatchObject({ facts: 0, sessions: 1 });
    await at.importTranscripts("tools");
    const remaining = count(TOLD);
    expect(count(`facts WHERE session_id = '${SESSION}'`)).toBe(0);
    expect(count(`memory_items WHERE session_id = '${SESSION}'`)).toBe(0);
    expect(filesWith("try all tools")).toEqual([]);
    expect(remaining).toBeGreaterThan(0);
    await at.record([toolEnd("later", { toolOutput: "x" }, new Date(Date.now() + 1_000).toISOString())]);
    expect(count(`sdk_sessions WHERE claude_session_id = '${SESSION}'`)).toBe(1);
    await at.remember();
    const after = dump();
    await at.keeper.rebuild();
    await at.remember();
    expect(dump()).toEqual(after);
  });

  it("project, or the end of its path, removes only its sessions", async () => {
    await recorded();
    await at.record([
      { ...toolEnd("other", { toolOutput: "x" }), sessionId: "other", projectPath: "/srv/my-acme-shop" },
    ]);
    const report = await forgetFacts({ project: "acme-shop" }, at.ports);
    expect(report.sessions).toBe(1);
    expect(count("sdk_sessions")).toBe(1);
    expect(outputs()).toEqual({ other: "x" });
  });

  it("file removes the calls that touch it, also in a command", async () => {
    await recorded();
    await at.record([
      toolEnd("cat", { toolInput: { command: "cat ./notes.md | head" }, toolOutput: "one" }),
      toolEnd("ls", { toolInput: { command: "ls mynotes.md" }, toolOutput: "two" }),
    ]);
    await forgetFacts({ file: "notes.md" }, at.ports);
    const inputs = JSON.stringify(at.keeper.store.db.sql("SELECT event_json, payload_json FROM facts").all());
    expect(inputs).not.toContain("acme-shop/notes.md");
    expect(inputs).toContain("README.md");
    expect(outputs()).toMatchObject({ cat: null, ls: "two" });
  });

  it("time removes sessions within it, and the part of others that overlaps", async () => {
    await recorded();
    const all = count(TOLD);
    await forgetFacts({ beforeIso: "2026-11-15T03:03:47.000Z" }, at.ports);
    const cut = count("facts WHERE event_json LIKE '%\"forgotten\":true%'");
    expect(cut).toBeGreaterThan(20);
    expect(
      count(
        "facts WHERE timestamp < '2026-11-15T03:03:47.000Z' AND event_json NOT LIKE '%\"forgotten\":true%'",
      ),
    ).toBe(0);
    expect(cut).toBeLessThan(all);
    expect(await forgetFacts({ beforeIso: "2027-01-01T00:00:00.000Z" }, at.ports)).toMatchObject({
      sessions: 1,
    });
    expect(count(TOLD)).toBe(0);
  });

  it("several criteria removes only what meets all of them", async () => {
    await recorded();
    await forgetFacts({ match: "anvils", beforeIso: "2026-11-15T03:03:47.000Z" }, at.ports);
    const remaining = JSON.stringify(
      at.keeper.store.db.sql("SELECT event_json, payload_json FROM facts").all(),
    );
    expect(remaining).toContain("Ship the anvils");
    expect(remaining).not.toContain('"pattern":"anvils"');
  });
});

const SESSION = "5df8a8cc-cc91-4fde-9c5a-768d6a6459ab";

function callOf(toolUseId: string) {
  return { provider: "claude", sessionId: SESSION, toolUseId };
}

function toolEnd(toolUseId: string, payload: object, occurredAtIso = "2026-11-15T03:10:00.000Z"): NewEvent {
  return {
    v: 1,
    id: callFactId(callOf(toolUseId), "end"),
    eventType: "tool_observation",
    occurredAtIso,
    sessionId: SESSION,
    provider: "claude",
    projectPath: "/home/dev/acme-shop",
    cwd: "/home/dev/acme-shop",
    toolUseId,
    origin: "hook",
    payload: { toolName: "Bash", toolInput: null, ...payload },
  };
}

/** Of the calls that these tests told. */
function outputs(): Record<string, string | null> {
  const rows = at.keeper.store.db
    .sql(
      `SELECT tool_use_id AS id, json_extract(payload_json, '$.toolOutput') AS output FROM facts
       WHERE event_type = 'tool_observation' AND length(tool_use_id) < 8`,
    )
    .all();
  return Object.fromEntries(rows.map((row) => [row["id"] as string, row["output"] as string | null]));
}

function itemOf(tool: string): number {
  const row = at.keeper.store.db
    .sql("SELECT id FROM memory_items WHERE tool_name = ? ORDER BY created_at")
    .get(tool);
  return row!["id"] as number;
}

/** An event in a turn of one session, this many seconds after its start. */
function said(promptId: string, eventType: string, second: number, more: object): NewEvent {
  return {
    v: 1,
    id: factId("said", promptId, eventType),
    eventType,
    occurredAtIso: `2026-11-15T08:0${promptId.slice(1)}:0${second}.000Z`,
    sessionId: SESSION,
    provider: "claude",
    projectPath: "/home/dev/acme-shop",
    cwd: "/home/dev/acme-shop",
    promptId,
    origin: "hook",
    ...more,
  };
}
