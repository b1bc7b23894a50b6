import { clock } from "../shown/duration.ts";
import type { Check, Outcome } from "./check.ts";
import { areHooksThere, installCommands, readable } from "./hooks.ts";
import { findProgram } from "./programs.ts";
import type { Situation } from "./situation.ts";
import { listed, count as times } from "./wording.ts";

/** Of hooks that wait for an answer: something must ask, and something must carry the question. */
export const askingChecks: readonly Check[] = [
  { code: "curl_found", look: lookCurl },
  { code: "hooks_asking", look: lookAsking },
  { code: "guard_answers", look: lookGuard },
];

function lookCurl(situation: Situation): Outcome {
  const path = findProgram("curl", situation.env);
  if (path !== null) return { status: "ok", found: `curl is ${path}.` };
  const wanted = listed(wantedAsks(situation).map(({ what }) => what));
  if (wanted === "")
    return {
      status: "warn",
      found: "curl was not found on PATH.",
      remedy: "Install curl: hooks that ask the daemon for an answer need it; recording does not.",
    };
  const isShut = situation.config()?.guard.failClosed === true;
  return {
    status: "fail",
    found: `curl was not found on PATH: nobody asks for ${wanted}${isShut ? ", and every tool call is denied" : ""}.`,
    remedy: "Install curl: hooks ask the daemon through it.",
  };
}

/**
 * The user's own file is compared whole by `hooks_complete`. A project's file and the plugin are complete without
 * these hooks, and yet the guard may be on.
 */
async function lookAsking(situation: Situation): Promise<Outcome> {
  if (!(await areHooksThere(situation))) return { status: "skipped", found: "No hooks are installed." };
  const wanted = wantedAsks(situation);
  if (wanted.length === 0)
    return { status: "skipped", found: "Guard and approve are off, and no rule answers." };
  const files = readable(await situation.settings());
  const held = new Set(files.flatMap(({ asks }) => asks));
  const lacking = wanted.filter(({ ask }) => !held.has(ask)).map(({ what }) => what);
  if (lacking.length === 0)
    return (
      recordedTwice(files) ?? {
        status: "ok",
        found: `Hooks ask for ${listed(wanted.map(({ what }) => what))}.`,
      }
    );
  return {
    status: "fail",
    found: `Switched on, but no hook asks for ${listed(lacking)}.`,
    remedy: `Run ${installCommands(files.filter(({ ours }) => ours > 0))}; sessions that run may have to be started anew.`,
  };
}

/** The hook that asks records as well; the agent runs it beside another file's hook that only records. */
function recordedTwice(files: ReturnType<typeof readable>): Outcome | null {
  const ours = files.filter(({ ours }) => ours > 0);
  const asking = ours.find(({ asks }) => asks.includes(PERMISSION));
  const plain = ours.filter(({ asks }) => !asks.includes(PERMISSION));
  if (asking === undefined || plain.length === 0) return null;
  return {
    status: "warn",
    found: `Permission requests are recorded twice: ${asking.path} asks for answers, ${listed(plain.map(({ path }) => path))} only records.`,
    remedy: `Run ${installCommands(plain)}.`,
  };
}

/** Calls that nobody judged: each is an event of its session, too. */
async function lookGuard({ config, daemon, nowMs }: Situation): Promise<Outcome> {
  if (config()?.guard.on !== true) return { status: "skipped", found: "The guard is off." };
  const state = await daemon();
  if (state.type !== "answers") return { status: "skipped", found: "No daemon answers." };
  const { count = 0, lastAtIso = null } = state.status?.steering?.unchecked ?? {};
  if (count === 0) return { status: "ok", found: "Every guarded call of the last 24 h was answered." };
  return {
    status: "warn",
    found: `${times(count, "tool call")} ran unchecked in the last 24 h, because the guard did not answer (last at ${clock(lastAtIso ?? "", nowMs())}).`,
    remedy: "See `hookline tail` and daemon.log; `hookline install --guard --fail-closed` denies such calls.",
  };
}

const PERMISSION = "ask-permission PermissionRequest";

interface WantedAsk {
  /** As a settings file is read. */
  readonly ask: string;
  readonly what: string;
}

function wantedAsks({ config, asking }: Situation): WantedAsk[] {
  const { guard, approve } = config() ?? {};
  return [
    ...(guard?.on ? [{ ask: "ask-guard PreToolUse", what: "the guard" }] : []),
    ...(approve?.on ? [{ ask: PERMISSION, what: "answers from elsewhere" }] : []),
    ...(asking() ?? []).map(({ event }) => ({ ask: `ask-react ${event}`, what: `rules at ${event}` })),
  ];
}
