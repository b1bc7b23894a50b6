import { findProgram } from "../files/find-program.ts";
import { localTime } from "../shown/duration.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { hasHooks, installCommands, readableSettings } from "./hooks.ts";
import { listNames, countText as times } from "./wording.ts";

/** Ask hooks must be installed, and need curl to reach the daemon. */
export const askHookChecks: readonly Check[] = [
  { code: "curl_found", run: checkCurl },
  { code: "hooks_asking", run: checkAskHooks },
  { code: "guard_answers", run: checkGuard },
];

function checkCurl(context: CheckContext): Outcome {
  const path = findProgram(["curl"], context.env["PATH"]);
  if (path !== null) return { status: "ok", found: `curl is ${path}.` };
  const wanted = listNames(wantedAskHooks(context).map(({ what }) => what));
  if (wanted === "")
    return {
      status: "warn",
      found: "curl was not found on PATH.",
      remedy: "Install curl. Hooks that ask the daemon need it; recording does not.",
    };
  const isFailClosed = context.config()?.guard.failClosed === true;
  return {
    status: "fail",
    found: `curl was not found on PATH, so ${wanted} cannot work${isFailClosed ? " and every tool call is denied" : ""}.`,
    remedy: "Install curl; the hooks use it to ask the daemon.",
  };
}

/**
 * `hooks_complete` covers only the user's file: a project's file and the plugin are complete without these
 * hooks, even if the guard is on.
 */
async function checkAskHooks(context: CheckContext): Promise<Outcome> {
  if (!(await hasHooks(context))) return { status: "skipped", found: "No hooks are installed." };
  const wanted = wantedAskHooks(context);
  if (wanted.length === 0)
    return { status: "skipped", found: "Guard and approve are off, and no rule needs a hook." };
  const files = readableSettings(await context.settings());
  const installed = new Set(files.flatMap(({ asks }) => asks));
  const missing = wanted.filter(({ ask }) => !installed.has(ask)).map(({ what }) => what);
  if (missing.length === 0)
    return (
      warnRecordedTwice(files) ?? {
        status: "ok",
        found: `Hooks are installed for ${listNames(wanted.map(({ what }) => what))}.`,
      }
    );
  return {
    status: "fail",
    found: `Turned on, but the hook is missing for ${listNames(missing)}.`,
    remedy: `Run ${installCommands(files.filter(({ ours }) => ours > 0))}; running sessions may need a restart.`,
  };
}

/** The ask hook for permissions also records; the agent runs it in addition to another file's record hook. */
function warnRecordedTwice(files: ReturnType<typeof readableSettings>): Outcome | null {
  const ours = files.filter(({ ours }) => ours > 0);
  const answering = ours.find(({ asks }) => asks.includes(PERMISSION));
  const recording = ours.filter(({ asks }) => !asks.includes(PERMISSION));
  if (answering === undefined || recording.length === 0) return null;
  return {
    status: "warn",
    found: `Permission requests are recorded twice: by the answering hook in ${answering.path} and the recording hook in ${listNames(recording.map(({ path }) => path))}.`,
    remedy: `Run ${installCommands(recording)}.`,
  };
}

/** Each unchecked call is also an event of its session. */
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

interface WantedAskHook {
  /** `<kind> <event>`, as inspecting a settings file reports it. */
  readonly ask: string;
  readonly what: string;
}

function wantedAskHooks({ config, waitingHooks }: CheckContext): WantedAskHook[] {
  const { guard, approve } = config() ?? {};
  return [
    ...(guard?.on ? [{ ask: "ask-guard PreToolUse", what: "the guard" }] : []),
    ...(approve?.on ? [{ ask: PERMISSION, what: "answering from Hookline" }] : []),
    ...(waitingHooks() ?? []).map(({ event }) => ({ ask: `ask-react ${event}`, what: `rules on ${event}` })),
  ];
}
