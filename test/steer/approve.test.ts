import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Card, CardAnswer } from "../../src/control/control-contract.ts";
import { hashShown, showRequest } from "../../src/shown/show-request.ts";
import { createScratch, openClaudeTmux, type Scratch } from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline } from "../support/cli.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import type { TmuxSession } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

const HOLD_SECONDS = 9;
const DATABASE = "Which database should we use?";
const PARTS = "Which parts are wanted?";
const option = (label: string) => ({ label, description: `${label} it is` });
const questions = [
  {
    question: DATABASE,
    header: "Database",
    multiSelect: false,
    options: ["SQLite", "Postgres"].map(option),
  },
  { question: PARTS, header: "Parts", multiSelect: true, options: ["Auth", "Mail", "Search"].map(option) },
];
const agent = { description: "Look around", prompt: "look", subagent_type: "general-purpose" };
const bash = (command: string): Turn => ({
  tools: [{ name: "Bash", input: { command, description: "Run it" } }],
});

/** The model's turn, by the last line of its prompt. */
function turnFor(line: string): Turn {
  if (line.startsWith("run ")) return bash(line.slice(4));
  if (line.startsWith("ask")) return { tools: [{ name: "AskUserQuestion", input: { questions } }] };
  if (line.startsWith("plan")) return { tools: [{ name: "ExitPlanMode", input: {} }] };
  if (line.startsWith("delegate")) return { tools: [{ name: "Agent", input: agent }] };
  return { text: "Well then." };
}

let scratch: Scratch;
let api: FakeApi;
let claude: TmuxSession;

beforeAll(async () => {
  scratch = await createScratch();
  mkdirSync(homeOf(scratch), { recursive: true, mode: 0o700 });
  const approve = { holdSeconds: HOLD_SECONDS, messages: true };
  writeFileSync(
    join(homeOf(scratch), "config.json"),
    JSON.stringify({ approve, memory: { embedder: null } }),
  );
  for (const args of [["install", "--approve"], ["up"]]) {
    const run = await runHookline(scratch, args);
    if (run.code !== 0) throw new Error(`hookline ${args.join(" ")}: ${run.stderr}`);
  }
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
  api = await openFakeApi(({ lastUserText, agentId }) => {
    const line = lastUserText.split("\n").at(-1) ?? "";
    if (agentId === undefined) return turnFor(line);
    return line.startsWith("look") ? bash("touch from-agent.txt") : { text: "Looked." };
  });
  scratch.onCleanup(() => api.close());
  claude = await openClaudeTmux(scratch, {
    api,
    args: ["--permission-mode", "default"],
    env: { HOOKLINE_PORT: "0" },
  });
  await claude.waitFor(/❯/);
});
afterAll(() => scratch?.cleanup());

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

function ask(method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const socketPath = join(homeOf(scratch), "sock");
  return new Promise((resolve, reject) => {
    request({ socketPath, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode!, body: text === "" ? null : (JSON.parse(text) as unknown) }),
      );
    })
      .on("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function cards(): Promise<readonly Card[]> {
  const { body } = await ask("GET", "/api/control/cards");
  return (body as { cards: Card[] }).cards;
}

async function until<T>(check: () => Promise<T | undefined | false>, what: string): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`no ${what} in time:\n${await claude.screen()}`);
  }
}

async function say(text: string): Promise<void> {
  await claude.type(text);
  await claude.keys("Enter");
}

/** Makes the session ask for something, and returns the card. */
async function askedFor(text: string): Promise<Card> {
  await say(text);
  return until(async () => (await cards())[0], "card");
}

/** Answers as a client that has rendered the card. */
const answer = async (card: Card, answer: CardAnswer) => {
  const shown = await hashShown(showRequest(card));
  return ask("POST", `/api/control/cards/${card.id}/answer`, { who: "Ann", shown, ...answer });
};
/** A focused page that shows every pending request. */
function lookAtCards(): () => Promise<void> {
  const end = new AbortController();
  const view = async (looking: boolean) => {
    const requests = (await cards()).map(({ id }) => id);
    await ask("POST", "/api/control/viewer", { viewer: "a page", looking, requests });
  };
  const looking = (async () => {
    for (; !end.signal.aborted; await sleep(200)) await view(true);
    await view(false);
  })();
  return () => {
    end.abort();
    return looking;
  };
}
const settled = (card: Card) =>
  until(async () => {
    const { body } = await ask("GET", `/api/control/cards/${card.id}`);
    return (body as Card).status === "settled" && (body as Card).settled!;
  }, "end of the card");
const made = (name: string) => until(async () => existsSync(join(scratch.project, name)), name);
const toldModel = (text: string) => {
  const words = JSON.stringify(text).slice(1, -1);
  const isTold = () => api.requests.some(({ body }) => JSON.stringify(body.messages).includes(words));
  return until(async () => isTold(), `"${text}" to the model`);
};
/** The dialog ignores keys in its first moments, as accidental typing. */
const press = async (dialog: RegExp, key: string): Promise<void> => {
  await claude.waitFor(dialog);
  await sleep(600);
  await claude.keys(key);
};
const atRest = async (): Promise<void> => {
  await until(async () => !/esc to interrupt|Do you want to proceed/.test(await claude.screen()), "rest");
  await sleep(300);
};
const DIALOG = /Do you want to proceed/;

describe("a session in a terminal, with install --approve", () => {
  it("shows a background agent's dialog at once while no page is open", async () => {
    await say("delegate this");
    await press(/from the general-purpose agent/, "Enter");
    await made("from-agent.txt");
    await until(async () => (await cards()).length === 0, "end of the request");
    await claude.waitFor(/Looked|finished/);
    await atRest();
  });

  it("has a permission allowed or denied from the API", async () => {
    const card = await askedFor("run touch allowed.txt");
    expect(card).toMatchObject({
      source: "terminal",
      kind: "permission",
      toolName: "Bash",
      input: { command: "touch allowed.txt" },
      status: "pending",
    });
    expect(await answer(card, { decision: "allow" })).toMatchObject({
      status: 200,
      body: { status: "settled", settled: { outcome: "allow", by: "user", who: "Ann" } },
    });
    await made("allowed.txt");
    expect(await answer(card, { decision: "deny" })).toMatchObject({
      status: 409,
      body: { error: { code: "not_pending", message: expect.stringContaining("Ann") as string } },
    });
    await atRest();
    const second = await askedFor("run touch refused.txt");
    expect(await answer(second, { answers: {} })).toMatchObject({
      status: 400,
      body: { error: { code: "answer_invalid" } },
    });
    await claude.waitFor(DIALOG);
    await answer(second, { decision: "deny", message: "Take the other file." });
    await toldModel("Take the other file.");
    await atRest();
    expect(existsSync(join(scratch.project, "refused.txt"))).toBe(false);
  });

  it("has two questions answered from the API, one of them with several choices", async () => {
    const card = await askedFor("ask me");
    expect(card).toMatchObject({ kind: "question", questions });
    const answers = { [DATABASE]: "SQLite", [PARTS]: "Auth, Mail" };
    await answer(card, { answers });
    await toldModel(`"${DATABASE}"="SQLite", "${PARTS}"="Auth, Mail"`);
    await atRest();
  });

  it("withdraws the card when the terminal allows first, and rejects a late click", async () => {
    const card = await askedFor("run sleep 2 && touch slept.txt");
    await press(DIALOG, "Enter");
    expect(await settled(card)).toMatchObject({ outcome: "withdrawn", by: "terminal" });
    // The call still runs: the card must not wait for its end.
    expect(existsSync(join(scratch.project, "slept.txt"))).toBe(false);
    expect(await answer(card, { decision: "deny" })).toMatchObject({
      status: 409,
      body: { error: { code: "not_pending", message: expect.stringContaining("in the terminal") as string } },
    });
    await made("slept.txt");
    await atRest();
  });

  it("reports the outcome of a denial that races with a Yes", async () => {
    const card = await askedFor("run touch both.txt");
    await press(DIALOG, "Enter");
    await answer(card, { decision: "deny", message: "Too late?" });
    await atRest();
    const { by } = await until(async () => {
      const how = await settled(card);
      const isDenied = (await claude.screen()).includes("Too late?");
      return isDenied === (how.by === "user") && how;
    }, "one outcome");
    expect(existsSync(join(scratch.project, "both.txt"))).toBe(by === "terminal");
  });

  it("offers a background agent's request while a page is open", async () => {
    rmSync(join(scratch.project, "from-agent.txt"));
    const lookAway = lookAtCards();
    const card = await askedFor("delegate that");
    expect(card.status).toBe("pending");
    expect(card).toMatchObject({ agentId: expect.any(String) as string, agentType: "general-purpose" });
    await answer(card, { decision: "allow" });
    await made("from-agent.txt");
    await claude.waitFor(/delegate that.*finished.*done/s);
    await lookAway();
    await atRest();
  });

  it.each(["Escape", "4"])("withdraws the card at Esc and at No (%s)", async (key) => {
    const card = await askedFor(`run touch no-${key}.txt`);
    await press(/4\. No/, key);
    expect(await settled(card)).toMatchObject({ outcome: "withdrawn", by: "terminal" });
    expect(existsSync(join(scratch.project, `no-${key}.txt`))).toBe(false);
    await atRest();
  });

  it("accepts a message while it is idle, marked as one", async () => {
    const { sessionId } = await askedFor("run touch last.txt");
    const send = () =>
      ask("POST", `/api/control/sessions/${sessionId}/message`, { text: "The build is red", from: "Ann" });
    expect(await send()).toMatchObject({ status: 409, body: { error: { code: "session_busy" } } });
    const [card] = await cards();
    await answer(card!, { decision: "deny" });
    await atRest();
    await until(async () => (await send()).status === 200, "idle session");
    await toldModel("Message from Ann through Hookline");
    await atRest();
  });

  it("has its plan approved from the API, with the mode to continue in", async () => {
    // Through "accept edits" to "plan".
    await claude.keys("BTab");
    await claude.waitFor(/accept edits on/);
    await claude.keys("BTab");
    await claude.waitFor(/plan mode on/);
    const card = await askedFor("plan it");
    expect(card).toMatchObject({ kind: "plan", toolName: "ExitPlanMode" });
    await answer(card, { decision: "allow", mode: "acceptEdits" });
    await toldModel("User has approved");
    await claude.waitFor(/accept edits on/);
    await atRest();
  });

  it("keeps its own dialog after the hold expires", async () => {
    const card = await askedFor(`run mkdir ${scratch.root}/late`);
    expect(Date.parse(card.untilIso!) - Date.parse(card.sinceIso)).toBe(HOLD_SECONDS * 1_000);
    await claude.waitFor(DIALOG);
    await until(async () => (await cards())[0]?.status === "terminal", "end of the hold");
    expect(await answer(card, { decision: "allow" })).toMatchObject({ status: 409 });
    await press(DIALOG, "Enter");
    await until(async () => existsSync(join(scratch.root, "late")), "folder");
    await until(async () => (await cards()).length === 0, "end of the request");
  });

  it("records in the log who answered what", () => {
    const rows = queryDatabase(scratch, "SELECT payload_json FROM events WHERE event_type = 'control.card'");
    const told = rows.map((row) => JSON.parse(String(row["payload_json"])) as Record<string, unknown>);
    const phases = told.map(({ phase }) => phase);
    expect(phases.filter((phase) => phase === "settled")).toHaveLength(
      phases.filter((phase) => phase === "asked").length,
    );
    const answers = { [DATABASE]: "SQLite", [PARTS]: "Auth, Mail" };
    expect(told.map(({ card }) => card)).toContainEqual(
      expect.objectContaining({ outcome: "answered", by: "user", who: "Ann", answers }),
    );
  });
});
