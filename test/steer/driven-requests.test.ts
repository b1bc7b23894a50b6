import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/control/control-contract.ts";
import { hashShown, showRequest } from "../../src/shown/show-request.ts";
import { openSteering, type Steering } from "../support/control.ts";

// A driven session's request is the same request in every view: raw, whole, and under one id.

const KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const question = {
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: `with ${KEY}` },
  ],
};
const calls: Readonly<Record<string, { readonly name: string; readonly input: object }>> = {
  tagged: { name: "Bash", input: { command: "npm test # <private>\ntouch unseen # </private>" } },
  secret: { name: "Bash", input: { command: `echo ${KEY} > unseen` } },
  hidden: { name: "Bash", input: { command: "touch unseen" } },
  long: { name: "Bash", input: { command: `# ${"x".repeat(40_000)}\ntouch unseen` } },
  choice: {
    name: "AskUserQuestion",
    input: { questions: [question], metadata: { source: "remember" } },
  },
  agent: {
    name: "Agent",
    input: { description: "ask", prompt: "now touch", subagent_type: "general-purpose" },
  },
};

let steering: Steering;
beforeEach(async () => {
  steering = await openSteering(({ lastUserText, agentId }) => {
    if (agentId !== undefined)
      return lastUserText.includes("now touch")
        ? { tools: [{ name: "Bash", input: { command: "touch unseen" } }] }
        : { text: "ok" };
    const [, name, id] = /call (\w+)(?: as (\S+))?/.exec(lastUserText) ?? [];
    if (name === undefined) return { text: "ok" };
    const call = calls[name] ?? { name: "Bash", input: { command: `touch ${name}` } };
    return { tools: [{ ...call, ...(id !== undefined && { id }) }] };
  });
});
afterEach(() => steering?.close());

const cards = async (): Promise<readonly Card[]> =>
  (await steering.ask<{ cards: Card[] }>("GET", "/api/control/cards")).body.cards;
async function waiting(count: number): Promise<readonly Card[]> {
  await expect.poll(async () => (await cards()).length, { timeout: 30_000 }).toBe(count);
  return cards();
}
const close = (sessionId: string) => steering.ask("POST", `/api/control/sessions/${sessionId}/close`, {});
/** As a client that has rendered the card. */
const answer = async (card: Card, given: object, path = `cards/${encodeURIComponent(card.id)}/answer`) => {
  const shown = await hashShown(showRequest(card));
  return steering.ask<Card>("POST", `/api/control/${path}`, { ...given, shown });
};

describe("a request of a driven session is the raw one", () => {
  it.each(Object.keys(calls))("in every view, and an answer to it is taken: %s", async (name) => {
    const prompt = name === "hidden" ? `<private>call ${name}</private>` : `call ${name}`;
    const { sessionId } = await steering.start({ prompt });
    const attached = steering.hookline.run("attach", sessionId);
    const [card] = await waiting(1);
    const asked = name === "agent" ? { command: "touch unseen" } : calls[name]!.input;
    expect(card!.input).toMatchObject(asked);
    if (name === "agent") expect(card!.agentType).toBe("general-purpose");
    expect((await steering.ask("GET", `/api/control/cards/${card!.id}`)).body).toEqual(card);
    const { body: session } = await steering.ask<{ pending: Card[] }>(
      "GET",
      `/api/control/sessions/${sessionId}`,
    );
    expect(session.pending).toEqual([card]);
    const { stdout } = await steering.hookline.run("answer", card!.id);
    const last = name === "choice" ? KEY : /unseen/;
    expect(stdout).toMatch(last);

    const given = name === "choice" ? { answers: { [question.question]: "SQLite" } } : { decision: "deny" };
    const path = name === "long" ? `sessions/${sessionId}/answer/${card!.id}` : undefined;
    const settled = await answer(card!, given, path);
    expect([settled.status, settled.body.settled?.by]).toEqual([200, "user"]);
    await waiting(0);
    await close(sessionId);
    expect((await attached).stderr).toMatch(last);
    expect(existsSync(join(steering.scratch.project, "unseen"))).toBe(false);
  });
});
