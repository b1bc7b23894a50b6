import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { positionAt } from "../../../test/support/position.ts";
import { controlEnvelopeEvent } from "../../event/control-events.ts";
import { toLine } from "../../event/line.ts";
import { openSqliteStore, type SqliteStore } from "./sqlite-store.ts";

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function open(): SqliteStore {
  const dir = mkdtempSync(join(tmpdir(), "hookline-control-"));
  dirs.push(dir);
  return openSqliteStore(join(dir, "hookline.db"));
}

async function applyEnvelopes(
  store: SqliteStore,
  sessionId: string,
  bodies: readonly Record<string, unknown>[],
  from = 1,
): Promise<void> {
  const events = bodies.map((body, index) =>
    controlEnvelopeEvent(
      { sessionId, projectPath: "/p", cwd: "/p", occurredAtIso: "2026-01-01T00:00:00.000Z" },
      { type: "text", ...body, seq: from + index },
    ),
  );
  await store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(1) });
}

describe("envelopes", () => {
  it("are read in numeric order of seq, from an index", async () => {
    const store = open();
    await applyEnvelopes(
      store,
      "a",
      Array.from({ length: 12 }, (_, n) => ({ text: `t${n + 1}` })),
    );
    await applyEnvelopes(store, "b", [{ text: "other" }]);
    expect((await store.control.envelopes("a", 8, 3)).map(({ seq, text }) => [seq, text])).toEqual([
      [9, "t9"],
      [10, "t10"],
      [11, "t11"],
    ]);
    expect(await store.control.lastEnvelopeSeq("a")).toBe(12);
    expect(await store.control.lastEnvelopeSeq("unknown")).toBe(0);
    const plan = store.db
      .sql(
        `EXPLAIN QUERY PLAN SELECT event_json FROM facts WHERE event_type = 'control.envelope' AND session_id = 'a'
           AND json_extract(event_json, '$.envelope.seq') > 8 ORDER BY json_extract(event_json, '$.envelope.seq')`,
      )
      .all();
    expect(JSON.stringify(plan)).toContain("facts_by_envelope");
    expect(JSON.stringify(plan)).not.toContain("TEMP B-TREE");
    await store.close();
  });

  it("show which sessions are not closed", async () => {
    const store = open();
    await applyEnvelopes(store, "open", [{ type: "state", state: "idle" }]);
    await applyEnvelopes(store, "mid", [
      { type: "state", state: "closed" },
      { type: "text", text: "again" },
    ]);
    await applyEnvelopes(store, "closed", [
      { type: "text", text: "x" },
      { type: "state", state: "closed" },
    ]);
    expect(await store.control.unfinishedSessions()).toEqual([
      { sessionId: "mid", lastSeq: 2, projectPath: "/p", cwd: "/p" },
      { sessionId: "open", lastSeq: 1, projectPath: "/p", cwd: "/p" },
    ]);
    await store.close();
  });

  it("show in which sessions a request was lost since a time", async () => {
    const store = open();
    await applyEnvelopes(store, "lost", [{ type: "permission.resolved", outcome: "lost" }]);
    await applyEnvelopes(store, "answered", [{ type: "question.resolved", outcome: "answered" }]);
    expect(await store.control.sessionsWithLostRequests("2025-12-31T00:00:00.000Z")).toEqual([
      { sessionId: "lost", projectPath: "/p", cwd: "/p" },
    ]);
    expect(await store.control.sessionsWithLostRequests("2026-01-02T00:00:00.000Z")).toEqual([]);
    await store.close();
  });
});
