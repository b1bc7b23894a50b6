import { existsSync } from "node:fs";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { pauseText } from "../capture/pause-text.ts";
import { activePauses, readPauses } from "../capture/pauses.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { checkHomeWritable } from "../daemon/home-errors.ts";
import { type Home, resolveHome } from "../home.ts";
import { DaemonStatus, MemoryStatus } from "../serve/contract.ts";
import { localTime } from "../shown/duration.ts";
import { listSpool } from "../spool/read-spool.ts";
import { VERSION } from "../version.ts";
import { agent } from "./agent.ts";
import { plural } from "./amounts.ts";
import { daemonDownLines } from "./daemon-down-lines.ts";
import { print, printJson } from "./output.ts";

export const statusCommand = defineCommand({
  meta: { name: "status", description: "Show the daemon's status" },
  args: {
    line: { type: "boolean", description: "One line for a status bar; empty without a daemon" },
    statusline: {
      type: "boolean",
      description: `One line for ${agent.label}'s statusLine (reads its JSON from stdin)`,
    },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const forms = [args.line, args.statusline, args.json].filter((form) => form === true);
    if (forms.length > 1) throw new AppError("usage", "choose one of --line, --statusline and --json.");
    if (args.line || args.statusline) {
      const { drawStatusBar } = await import("./status-bar.ts");
      await drawStatusBar(home, args.statusline ? agent.statusLine : null);
      return;
    }
    const status = await askDaemon(home, DaemonStatus, "/api/status", { timeoutMs: 5_000 });
    if (status === null) {
      if (args.json) printJson({ running: false, ...offlineStatus(home) });
      else print([offlineText(home), ...daemonDownLines(home)].join("\n"));
      return;
    }
    // Full text and vectors run in a separate thread, which may be busy.
    const memory = await askDaemon(home, MemoryStatus, "/api/memory", { timeoutMs: 2_000 }).catch(() => null);
    if (args.json) printJson({ running: true, ...status, memory });
    else
      print(
        [statusText(status, await installedAskHooks()), ...(memory === null ? [] : memoryLines(memory))].join(
          "\n",
        ),
      );
  },
});

async function installedAskHooks(): Promise<AskHooks> {
  const { inspectHooks } = await import("../hook/inspect-hooks.ts");
  const files = await inspectHooks({ agent, env: process.env, projectDir: process.cwd() });
  return new Set(files.flatMap((file) => (file.type === "read" ? file.asks : [])));
}

function offlineStatus(home: Home) {
  const files = listSpool(home.spool);
  const oldest = files[0];
  const pauses = activePauses(readPauses(home.pauses), new Date().toISOString());
  return {
    version: VERSION,
    home: home.dir,
    recording: existsSync(home.spool) && pauses.every(({ project }) => project !== null),
    pauses,
    spoolDepth: files.length,
    spoolOldestMs: oldest === undefined ? null : Math.max(0, Date.now() - Number(oldest.timeNs / 1_000_000n)),
  };
}

function offlineText(home: Home): string {
  const { spoolDepth, pauses } = offlineStatus(home);
  const paused = pauses.map((pause) => `\n${pauseText(pause, Date.now())}`).join("");
  const problem = checkHomeWritable(home);
  if (problem !== null) return `The daemon is not running and cannot start: ${problem.message}.`;
  if (!existsSync(home.spool))
    return "The daemon is not running, and recording is off (no spool folder). Start both with `hookline up`.";
  return `The daemon is not running; ${plural(spoolDepth, "recorded event")} ${spoolDepth === 1 ? "waits" : "wait"} in ${home.spool}. Start it with \`hookline up\`.${paused}`;
}

type Steering = NonNullable<DaemonStatus["steering"]>;

type AskHooks = ReadonlySet<string>;

function statusText(status: DaemonStatus, asks: AskHooks): string {
  const isOff = !status.recording && status.pauses.every(({ project }) => project !== null);
  const lines = [
    `Hookline ${status.version}, pid ${status.pid}, http://127.0.0.1:${status.port}, ${status.home}`,
    `${plural(status.events, "event")} in ${plural(status.sessions, "session")}; lag ${status.lagMs === null ? "unknown" : `${status.lagMs} ms`}; ` +
      `spool ${status.spoolDepth}${isOff ? " (recording is off: no spool folder)" : ""}`,
    ...status.pauses.map((pause) => pauseText(pause, Date.now())),
    ...(status.hooksRemoved ? ["The hooks were removed from the settings; run `hookline install`"] : []),
  ];
  for (const [source, time] of Object.entries(status.lastEventPerSource))
    lines.push(`last from ${source}: ${localTime(time, Date.now())}`);
  if (status.steering !== null) lines.push(...steeringLines(status.steering, asks));
  const counts = { torn: status.torn, quarantined: status.quarantined, refused: status.refused };
  for (const [what, count] of Object.entries(counts)) if (count > 0) lines.push(`${what}: ${count}`);
  const isInRules = (notice: string): boolean =>
    status.steering?.rules.some((line) => notice.endsWith(line)) ?? false;
  const notices = status.notices.filter((notice) => !isInRules(notice)).slice(-5);
  return [...lines, ...notices.map(atLocalTime)].join("\n");
}

/** A notice starts with its time. */
function atLocalTime(notice: string): string {
  return notice.replace(/^\S+Z(?= )/, (iso) => localTime(iso, Date.now()));
}

/** `asks`: the ask hooks in settings files. Without them, an enabled guard protects nothing. */
function steeringLines(
  { guard, approve, driven, requests, rules, unchecked }: Steering,
  asks: AskHooks,
): string[] {
  const guardText = { off: "off", open: "on", closed: "on (fail-closed)" }[guard];
  const missing = [
    ...(guard !== "off" && !asks.has("ask-guard PreToolUse") ? ["guard"] : []),
    ...(approve && !asks.has("ask-permission PermissionRequest") ? ["approve"] : []),
  ];
  const queued = driven.queued > 0 ? ` and ${driven.queued} in the queue` : "";
  const waiting = driven.waiting > 0 ? `, ${driven.waiting} waiting` : "";
  const lost = requests.lost > 0 ? `, ${requests.lost} lost` : "";
  const sessions = `${plural(driven.running, "driven session")}${queued}${waiting}`;
  return [
    `steering: guard ${guardText}, approve ${approve ? "on" : "off"}; ${sessions}`,
    ...(missing.length > 0
      ? [`the hooks for ${missing.join(" and ")} are missing; run \`hookline install\``]
      : []),
    ...(requests.pending + requests.lost > 0
      ? [`${plural(requests.pending, "request")} for you${lost}: \`hookline answer\``]
      : []),
    ...(unchecked.count > 0 ? [uncheckedText(unchecked)] : []),
    ...rules,
  ];
}

function uncheckedText({ count, lastAtIso }: Steering["unchecked"]): string {
  return `${plural(count, "tool call")} ran unchecked in the last 24 h, because the guard did not answer (last at ${localTime(lastAtIso ?? "", Date.now())})`;
}

function memoryLines({ index, outbox, model }: MemoryStatus): string[] {
  const pending = outbox + index.waiting;
  const vectors = index.embedder === null ? "full text only" : `${index.embedded} with a vector`;
  const lines = [
    `memory: ${plural(index.items, "item")}, ${vectors}${pending > 0 ? `, ${pending} pending` : ""}` +
      `${index.note === null ? "" : ` (${index.note})`}`,
  ];
  if (model === null) return lines;
  const { name, waiting, tokensToday, dailyTokens, note } = model;
  const queue = waiting > 0 ? `, ${plural(waiting, "turn")} queued` : "";
  return [
    ...lines,
    `model: ${name}, ${tokensToday} of ${dailyTokens} tokens today${queue}${note === null ? "" : `; ${note}`}`,
  ];
}
