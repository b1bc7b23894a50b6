import { describe, expect, it } from "vitest";
import type { SessionDetail } from "../serve/contract.ts";
import { displayWidth } from "./display-width.ts";
import { sessionText } from "./session-text.ts";
import {
  ago,
  card,
  NOW,
  recordedRequest,
  snapshot,
  waitingSnapshot,
  waitingSnapshotOf,
} from "./snapshot.testing.ts";
import { tableLines } from "./table.ts";
import { toWaitingRequests } from "./waiting-requests.ts";

const tokens = { input: 1_000, output: 2_000, cacheRead: 80_000, cacheWrite: 5_000 };
const detail = (changes: Partial<SessionDetail> = {}): SessionDetail => ({
  session: waitingSnapshot("permission", "rm -rf dist\n  && npm run build", {
    evidence: [
      { source: "hook", what: "request", atIso: ago(102) },
      { source: "registry", what: "waiting", atIso: ago(100) },
    ],
    humanWaitMs: 200_000,
  }),
  turns: [
    {
      promptId: "p1",
      number: 1,
      prompt: "add\na cart",
      isMachine: false,
      startedAtIso: ago(3_000),
      endedAtIso: ago(2_958),
      outcome: "ended",
      toolCount: 3,
      failedToolCount: 1,
      tokens,
      costMicros: 30_000,
    },
    {
      promptId: "p2",
      number: 2,
      prompt: null,
      isMachine: false,
      startedAtIso: ago(120),
      endedAtIso: null,
      outcome: "running",
      toolCount: 0,
      failedToolCount: 0,
      tokens,
      costMicros: null,
    },
  ],
  tools: [{ toolName: "Bash", count: 12, failed: 1, totalMs: 200_000, longestMs: 62_000 }],
  usage: {
    total: tokens,
    cost: { micros: 1_904_000, source: "estimate", unpricedModels: [] },
    byModel: [{ model: "claude-opus-5-5", ...tokens, costMicros: 1_900_000 }],
    beyondMessages: [{ model: "claude-haiku-5", ...tokens, costMicros: 4_000 }],
    pricesOf: "2026-11-01",
  },
  waits: [
    { sessionId: "s", kind: "permission", text: "ls", startedAtIso: ago(2_990), endedAtIso: ago(2_980) },
    { sessionId: "s", kind: "permission", text: "rm -rf dist", startedAtIso: ago(102), endedAtIso: null },
  ],
  skills: [],
  filesChanged: ["/home/dev/acme-shop/src/cart.ts"],
  ...changes,
});
const text = (session: SessionDetail, width = 100): string => sessionText(session, { width, now: NOW });

describe("a session in full", () => {
  it("lists its skills with their state", () => {
    const skills = [
      { skillName: "spec", state: "completed", startedAtIso: ago(90), endedAtIso: ago(80) },
      { skillName: "review", state: "in_progress", startedAtIso: ago(60), endedAtIso: null },
    ] as const;
    expect(text(detail({ skills: [...skills] }))).toMatch(
      /Skills\n.*spec +completed\n.*review +in progress\n/,
    );
  });

  it("starts with state, reason and the age of its evidence, then its requests", () => {
    expect(text(detail()).split("\n").slice(0, 14)).toEqual([
      "◆ permission for 1m42  acme-shop ▸ main  opus-5.5  default  context 82%  $1.90",
      "waits for permission: hook PermissionRequest",
      "  hook request, 1m42 ago",
      "  registry waiting, 1m40 ago",
      "1a2b3c4d-0000-4000-8000-000000000001 in /home/dev/acme-shop",
      expect.stringMatching(/^started .*; 12 turns, 30 tool calls \(1 failed\), waited for you 5m02$/),
      "",
      "Waiting for you",
      "  permission for 1m42",
      "  tool        │ Bash",
      "  recorded    │ rm -rf dist",
      "              │   && npm run build",
      "  · As recorded: secrets are masked and long text is shortened.",
      "  Answer this in the terminal: it cannot be answered from here.",
    ]);
  });

  it("marks a driven session, and shows how to answer its request", () => {
    const session = waitingSnapshot("permission", "npm run deploy", { driven: true });
    const held = card({ id: "ask-npm run deploy", sessionId: session.sessionId, input: { command: "ls" } });
    const requests = toWaitingRequests([held], [session]);
    const lines = sessionText(detail({ session }), { width: 100, now: NOW }, requests).split("\n");
    expect(lines[0]).toContain("  driven  ");
    expect(lines).toContain("  command     │ ls");
    expect(lines).toContain("  Answer: hookline answer ask-npm run deploy");
    expect(text(detail())).not.toContain("hookline answer");
  });

  it("shows every request with its own text, and equal ones once", () => {
    const session = waitingSnapshotOf([
      recordedRequest("permission", "one", { requestId: "r1" }),
      recordedRequest("permission", "two", { requestId: "r2", agentId: "a7", agentType: "explore" }),
      recordedRequest("permission", "one", { requestId: "r3" }),
    ]);
    const shown = text(detail({ session }));
    expect(shown.match(/recorded {4}│ (one|two)/g)).toHaveLength(2);
    expect(shown).toMatch(/permission for 1m42 ×2\n.*Bash\n.*│ one/);
    expect(shown).toContain("agent       │ explore a7");
  });

  it("shows turns, tools, usage including other usage, files and waits", () => {
    const shown = text(detail());
    expect(shown).toMatch(/^ {2}1 {2}add a cart {2}3 tools, 1 failed {2}88k tokens {2}~\$0\.03 {3}42s$/m);
    expect(shown).toMatch(/^ {2}2 {2}\(private\) .* - {2}2m00 {2}running$/m);
    expect(shown).toMatch(/^ {2}Bash {2}12 {2}1 failed {2}3m20 total {2}longest 1m02$/m);
    expect(shown).toMatch(/^ {2}other usage, haiku-5 .*\$0\.00$/m);
    expect(shown).toContain("  ~$1.90 total, prices of 2026-11-01");
    expect(shown).toContain("Files changed\n  /home/dev/acme-shop/src/cart.ts");
    expect(shown).toMatch(/permission {2}still waiting {2}rm -rf dist$/m);
  });

  it("shows a question with its options", () => {
    const shown = text(detail({ session: waitingSnapshot("question", "Which database?") }));
    expect(shown).toMatch(/question {4}│ Which database\?\n {2}option {6}│ Postgres\n.*about.*the usual one/);
  });

  it("shows no empty section, and at most twenty turns", () => {
    const { turns } = detail();
    const manyTurns = Array.from({ length: 25 }, (_, at) => ({ ...turns[0]!, number: at + 1 }));
    const shown = text(
      detail({ session: snapshot(), turns: manyTurns, waits: [], filesChanged: [], tools: [] }),
    );
    expect(shown).not.toMatch(/Waiting for you|Tools|Files changed|Past waits/);
    expect(shown).toMatch(/Turns\n {2}… 5 earlier ones\n {3}6 {2}add a cart/);
  });

  it("marks forgotten and private prompts", () => {
    const [turn] = detail().turns;
    const shown = text(
      detail({
        turns: [
          { ...turn!, prompt: null },
          { ...turn!, prompt: null, isForgotten: true },
        ],
      }),
    );
    expect(shown).toMatch(/\(private\)[^\n]*\n[^\n]*\(forgotten\)/);
  });

  it("removes control characters from an agent's text", () => {
    const evil = "\u001b[2J\u001b]0;x\u0007\u202e\n";
    const session = waitingSnapshot("plan", `# Plan${evil}- one`, {
      why: evil,
      title: evil,
      model: evil,
      gitBranch: evil,
    });
    const shown = text(detail({ session, filesChanged: [evil] }));
    expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("a table", () => {
  it("truncates only its wide column, to the width of the terminal", () => {
    const rows = [
      ["1", "결제 모듈을 다시 쓴다 ".repeat(9), "$1.00"],
      ["12", "short", "$10.00"],
    ];
    const lines = tableLines([{ align: "end" }, { isWide: true }, { align: "end" }], rows, 40);
    expect(lines.map(displayWidth)).toEqual([40, 40]);
    expect(lines[1]).toMatch(/^ {2}12 {2}short +\$10\.00$/);
  });
});
