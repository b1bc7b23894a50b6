import { spawn } from "node:child_process";
import type { HooklineEvent } from "../../src/event/event.ts";
import { factId } from "../../src/event/ids.ts";
import { isAlive } from "../../src/monitor/processes.ts";
import { QUILL_EXPORT, SHOP_LOST } from "./ended-scenes.ts";
import { playFerryStory } from "./ferry-story.ts";
import { OPUS, type Scene, SONNET } from "./scene.ts";
import { createSimulatedSession, type SimulatedSession } from "./simulated-session.ts";
import { DEPLOY, QUESTIONS, QUILL_MERGE, SHOP_RETRY } from "./waiting-scenes.ts";
import { API_DISPATCH, APP_UPGRADE, INFRA_CERTS, RIVERBED_BACKFILL } from "./working-scenes.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Sessions that are working, waiting, idle, just ended or lost at the moment the page is opened. */
export interface LiveWork {
  readonly events: readonly HooklineEvent[];
  /** Hooks yet to be fired at a running daemon, so their requests can be answered from the page. */
  readonly toFire: readonly Fields[];
  /** Ids of the sessions shown in detail. */
  readonly ids: Readonly<Record<"ferry" | "shop" | "quill" | "riverbed", string>>;
}

/** Running since boot. */
const OLD_PROCESS = 1;

/** Returns a process that ran at the session's last event, so it is not found lost; null right after boot. */
function processAt(lastWordMs: number): number | null {
  return isAlive(OLD_PROCESS, { startedBeforeMs: lastWordMs }) ? OLD_PROCESS : null;
}

/** Starts while the daemon runs, so it gets its project's memory injected. */
const RIVERBED = {
  session_id: factId("demo", "riverbed-again"),
  cwd: "/home/dev/riverbed",
  permission_mode: "default",
};
const RIVERBED_PROMPT = factId("demo", "riverbed-again", "prompt");

const FERRY: Scene = {
  setup: {
    key: "ferry-berths",
    project: "ferry",
    branch: "fix/last-berth",
    model: OPUS,
    title: "Never sell the last berth twice",
  },
  agoMs: 4_000,
  work: playFerryStory,
};

export async function liveWork(nowMs: number): Promise<LiveWork> {
  const gone = await deadPid();
  const events: HooklineEvent[] = [];
  const tell = ({ setup, agoMs, work }: Scene, pid = processAt(nowMs - agoMs)): SimulatedSession => {
    const teller = createSimulatedSession({ pid, ...setup });
    work(teller, nowMs);
    events.push(...teller.events(nowMs - agoMs));
    return teller;
  };
  const [ferry, shop, quill] = [tell(FERRY), tell(SHOP_RETRY), tell(QUILL_MERGE)];
  for (const scene of [INFRA_CERTS, API_DISPATCH, RIVERBED_BACKFILL, APP_UPGRADE, QUILL_EXPORT]) tell(scene);
  tell(SHOP_LOST, gone);
  return {
    events,
    toFire: [
      ...startRiverbed(),
      ...asksToDeploy(turnOf(events, shop)),
      ...asksHowToMerge(turnOf(events, quill)),
    ],
    ids: {
      ferry: ferry.sessionId,
      shop: shop.sessionId,
      quill: quill.sessionId,
      riverbed: RIVERBED.session_id,
    },
  };
}

function startRiverbed(): Fields[] {
  return [
    { ...RIVERBED, hook_event_name: "SessionStart", source: "startup", model: SONNET },
    {
      ...RIVERBED,
      hook_event_name: "UserPromptSubmit",
      prompt_id: RIVERBED_PROMPT,
      prompt:
        "revenue_daily is doubled again, for October this time. Where did we mend that in July, and what was it?",
    },
    {
      ...RIVERBED,
      hook_event_name: "PreToolUse",
      prompt_id: RIVERBED_PROMPT,
      tool_name: "Read",
      tool_input: { file_path: "/home/dev/riverbed/riverbed/transform/revenue_daily.py" },
      tool_use_id: "toolu_demo_read",
    },
  ];
}

function asksToDeploy(turn: Fields): Fields[] {
  return [
    {
      ...turn,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: DEPLOY,
      tool_use_id: "toolu_demo_deploy",
    },
    {
      ...turn,
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: DEPLOY,
    },
  ];
}

function asksHowToMerge(turn: Fields): Fields[] {
  return [
    {
      ...turn,
      hook_event_name: "PreToolUse",
      tool_name: "AskUserQuestion",
      tool_input: { questions: QUESTIONS },
      tool_use_id: "toolu_demo_ask",
    },
    {
      ...turn,
      hook_event_name: "PermissionRequest",
      tool_name: "AskUserQuestion",
      tool_input: { questions: QUESTIONS },
    },
  ];
}

/** Fields that every hook of its last turn carries. */
function turnOf(events: readonly HooklineEvent[], { base, sessionId }: SimulatedSession): Fields {
  const last = events.findLast((event) => event.sessionId === sessionId && event.promptId);
  return { ...base, prompt_id: last?.promptId ?? null };
}

/** Returns the pid of a process that has just ended. */
function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  return new Promise((resolve) => child.on("close", () => resolve(child.pid!)));
}
