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

/** Follows one session over a connection that keeps breaking, resuming after the last envelope each time. */
async function follow(
  sessionId: string,
  isDone: (envelopes: readonly Envelope[]) => boolean,
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

const resultsOf = (envelopes: readonly Envelope[]): Envelope[] =>
  envelopes.filter(({ type }) => type === "result");

it("25 twenty sessions of three turns, with reconnecting clients: every replay equals the log", async () => {
  const drive = async (number: number): Promise<{ sessionId: string; envelopes: Envelope[] }> => {
    const { sessionId } = await steering.start({ prompt: `session ${number} turn 1` });
    const seen = follow(
      sessionId,
      (envelopes) => resultsOf(envelopes).length >= TURNS && envelopes.at(-1)?.type === "state",
    );
    const watcher = await steering.attach(sessionId);
    for (let turn = 2; turn <= TURNS; turn++) {
      await watcher.until(() => resultsOf(watcher.envelopes).length >= turn - 1, 240_000);
      const send = { text: `session ${number} turn ${turn}` };
      expect((await steering.ask("POST", `/api/control/sessions/${sessionId}/send`, send)).status).toBe(200);
    }
    const kept = await seen;
    watcher.close();
    return { sessionId, envelopes: kept };
  };
  const driven = await Promise.all(Array.from({ length: SESSIONS }, (_, index) => drive(index)));

  const logged = new Map<string, Envelope[]>();
  const log = readFileSync(join(steering.hookline.home.stream, "lifecycle.jsonl"), "utf8");
  for (const line of log.split("\n").filter((text) => text.includes('"control.envelope"'))) {
    const { sessionId, envelope } = JSON.parse(line) as { sessionId: string; envelope: Envelope };
    logged.set(sessionId, [...(logged.get(sessionId) ?? []), envelope]);
  }
  expect(driven).toHaveLength(SESSIONS);
  driven.forEach(({ sessionId, envelopes }, number) => {
    const told = logged.get(sessionId) ?? [];
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
    expect(envelopes).toEqual(told.slice(0, envelopes.length));
    expect(told.length - envelopes.length).toBeLessThan(3);
    const texts = envelopes.flatMap((one) => (one.type === "text" ? [one.text] : []));
    expect(texts).toEqual([1, 2, 3].map((turn) => `You said: session ${number} turn ${turn}`));
    expect(resultsOf(envelopes).every((one) => one.type === "result" && one.ok)).toBe(true);
  });
});
