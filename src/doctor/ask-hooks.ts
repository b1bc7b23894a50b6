import { findProgram } from "../files/find-program.ts";
import { localTime } from "../shown/duration.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { hasHooks, installCommands, readableSettings } from "./hooks.ts";
import { listNames, countText as times } from "./wording.ts";

/** Hooks that wait for an answer need a command that asks and a program to carry the request. */
export const askHookChecks: readonly Check[] = [
  { code: "curl_found", run: checkCurl },
  { code: "hooks_asking", run: checkAskHooks },
  { code: "guard_answers", run: checkGuard },
];

function checkCurl(situation: CheckContext): Outcome {
  const path = findProgram(["curl"], situation.env["PATH"]);
  if (path !== null) return { status: "ok", found: `curl is ${path}.` };
  const wanted = listNames(wantedAsks(situation).map(({ what }) => what));
  if (wanted === "")
    return {
      status: "warn",
      found: "curl was not found on PATH.",
      remedy: "Install curl. Hooks that ask the daemon need it; recording does not.",
    };
  const isShut = situation.config()?.guard.failClosed === true;
  return {
    status: "fail",
    found: `curl was not found on PATH, so ${wanted} cannot work${isShut ? " and every tool call is denied" : ""}.`,
    remedy: "Install curl; the hooks use it to ask the daemon.",
  };
}

/**
 * `hooks_complete` compares the user's own file as a whole. A project's file and the plugin are complete
 * without these hooks, although the guard may be on.
 */
async function checkAskHooks(situation: CheckContext): Promise<Outcome> {
  if (!(await hasHooks(situation))) return { status: "skipped", found: "No hooks are installed." };
  const wanted = wantedAsks(situation);
  if (wanted.length === 0)
    return { status: "skipped", found: "Guard and approve are off, and no rule needs a hook." };
  const files = readableSettings(await situation.settings());
  const held = new Set(files.flatMap(({ asks }) => asks));
  const lacking = wanted.filter(({ ask }) => !held.has(ask)).map(({ what }) => what);
  if (lacking.length === 0)
    return (
      recordedTwice(files) ?? {
        status: "ok",
        found: `Hooks are installed for ${listNames(wanted.map(({ what }) => what))}.`,
      }
    );
  return {
    status: "fail",
    found: `Turned on, but the hook is missing for ${listNames(lacking)}.`,
    remedy: `Run ${installCommands(files.filter(({ ours }) => ours > 0))}; running sessions may need a restart.`,
  };
}

/** An asking hook also records; the agent runs it in addition to another file's hook that only records. */
function recordedTwice(files: ReturnType<typeof readableSettings>): Outcome | null {
  const ours = files.filter(({ ours }) => ours > 0);
  const asking = ours.find(({ asks }) => asks.includes(PERMISSION));
  const plain = ours.filter(({ asks }) => !asks.includes(PERMISSION));
  if (asking === undefined || plain.length === 0) return null;
  return {
    status: "warn",
    found: `Permission requests are recorded twice: by the answering hook in ${asking.path} and the recording hook in ${listNames(plain.map(({ path }) => path))}.`,
    remedy: `Run ${installCommands(plain)}.`,
  };
}

/** Calls that went unjudged: each is also an event of its session. */
async function checkGuard({ config, daemon, nowMs }: CheckContext): Promise<Outcome> {
  if (config()?.guard.on !== true) return { status: "skipped", found: "The guard is off." };
  const state = await daemon();
  if (state.type !== "answers") return { status: "skipped", found: "The daemon is not running." };
  const { count = 0, lastAtIso = null } = state.status?.steering?.unchecked ?? {};
  if (count === 0) return { status: "ok", found: "The guard answered every call in the last 24 h." };
  return {
    status: "warn",
    found: `${times(count, "tool call")} ran unchecked in the last 24 h, because the guard did not answer (last at ${localTime(lastAtIso ?? "", nowMs())}).`,
    remedy:
      "Check `hookline tail` and daemon.log. To deny such calls, run `hookline install --guard --fail-closed`.",
  };
}

const PERMISSION = "ask-permission PermissionRequest";

interface WantedAsk {
  /** In the form parsed from a settings file. */
  readonly ask: string;
  readonly what: string;
}

function wantedAsks({ config, waitingHooks }: CheckContext): WantedAsk[] {
  const { guard, approve } = config() ?? {};
  return [
    ...(guard?.on ? [{ ask: "ask-guard PreToolUse", what: "the guard" }] : []),
    ...(approve?.on ? [{ ask: PERMISSION, what: "answering from Hookline" }] : []),
    ...(waitingHooks() ?? []).map(({ event }) => ({ ask: `ask-react ${event}`, what: `rules on ${event}` })),
  ];
}
