import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Envelope } from "../../src/control/envelope.ts";
import { type AttachedClient, openSteering, type Steering } from "../support/control.ts";

const SESSIONS = 20;
const TURNS = 3;

let steering: Steering;
beforeAll(async () => {
  steering = await openSteering(({ lastUserText }) => ({ text: `You said: ${lastUserText}` }));
});
afterAll(() => steering?.close());

/** Follows one session with a connection that breaks again and again, each time resuming after what it has. */
async function follow(
  sessionId: string,
  isDone: (kept: readonly Envelope[]) => boolean,
): Promise<Envelope[]> {
  const kept: Envelope[] = [];
  for (const end = Date.now() + 240_000; ; ) {
    const client: AttachedClient = await steering.attach(sessionId, kept.at(-1)?.seq ?? 0);
    const lifeMs = 20 + Math.random() * 1_500;
    for (const until = Date.now() + lifeMs; Date.now() < until && !isDone([...kept, ...client.envelopes]); )
      await sleep(20);
    client.close();
    kept.push(...client.envelopes);
    if (isDone(kept)) return kept;
    if (Date.now() > end) throw new Error(`not done: ${kept.map(({ type }) => type).join(" ")}`);
  }
}

const resultsOf = (kept: readonly Envelope[]): Envelope[] => kept.filter(({ type }) => type === "result");

it("25 twenty sessions of three turns, with clients that come and go: every replay equals the log", async () => {
  const drive = async (number: number): Promise<{ sessionId: string; kept: Envelope[] }> => {
    const { sessionId } = await steering.start({ prompt: `session ${number} turn 1` });
    const seen = follow(
      sessionId,
      (kept) => resultsOf(kept).length >= TURNS && kept.at(-1)?.type === "state",
    );
    const watcher = await steering.attach(sessionId);
    for (let turn = 2; turn <= TURNS; turn++) {
      await watcher.until(() => resultsOf(watcher.envelopes).length >= turn - 1, 240_000);
      const send = { text: `session ${number} turn ${turn}` };
      expect((await steering.ask("POST", `/api/control/sessions/${sessionId}/send`, send)).status).toBe(200);
    }
    const kept = await seen;
    watcher.close();
    return { sessionId, kept };
  };
  const driven = await Promise.all(Array.from({ length: SESSIONS }, (_, index) => drive(index)));

  const logged = new Map<string, Envelope[]>();
  const log = readFileSync(join(steering.hookline.home.stream, "lifecycle.jsonl"), "utf8");
  for (const line of log.split("\n").filter((text) => text.includes('"control.envelope"'))) {
    const { sessionId, envelope } = JSON.parse(line) as { sessionId: string; envelope: Envelope };
    logged.set(sessionId, [...(logged.get(sessionId) ?? []), envelope]);
  }
  expect(driven).toHaveLength(SESSIONS);
  driven.forEach(({ sessionId, kept }, number) => {
    const told = logged.get(sessionId) ?? [];
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
    expect(kept).toEqual(told.slice(0, kept.length));
    expect(told.length - kept.length).toBeLessThan(3);
    const texts = kept.flatMap((one) => (one.type === "text" ? [one.text] : []));
    expect(texts).toEqual([1, 2, 3].map((turn) => `You said: session ${number} turn ${turn}`));
    expect(resultsOf(kept).every((one) => one.type === "result" && one.ok)).toBe(true);
  });
});
