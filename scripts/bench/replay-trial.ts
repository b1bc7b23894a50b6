// One pass over a log in its own process, so that memory and CPU are measured separately.

import { spawn } from "node:child_process";
import { claude } from "../../src/agents/claude/claude.ts";
import { type HooklineEvent, isEvent } from "../../src/event/event.ts";
import { readSegments } from "../../src/log/file/reader.ts";
import { LOG_START } from "../../src/log/file/segments.ts";
import { foldEvent } from "../../src/monitor/fold-event.ts";
import { LifecycleSessionMonitor } from "../../src/monitor/lifecycle-session-monitor.ts";
import { readSession } from "../../src/monitor/read-session.ts";
import { createSessionView, type SessionView } from "../../src/monitor/session-view.ts";

/**
 * `bare` reads and parses; `fold` also builds the view of every session and reads each once at the end;
 * `monitor` is the monitor itself, which evicts long-ended sessions on the way.
 */
export type ReplayKind = "bare" | "fold" | "monitor";

export interface ReplayTrial {
  readonly seconds: number;
  readonly cpuMs: number;
  readonly rssMb: number;
  /** Lines parsed, or sessions known at the end. */
  readonly result: number;
}

export function runReplay(kind: ReplayKind, log: string): Promise<ReplayTrial> {
  const child = spawn(process.execPath, [import.meta.filename, kind, log], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as ReplayTrial);
      else reject(new Error(`the replay (${kind}) ended with ${code}`));
    });
  });
}

const passes: Readonly<Record<ReplayKind, (log: string) => Promise<number>>> = {
  async bare(active) {
    let lines = 0;
    for await (const batch of readSegments({ active }, LOG_START))
      for (const line of batch.lines) if (JSON.parse(line) !== null) lines++;
    return lines;
  },
  async fold(active) {
    const views = new Map<string, SessionView>();
    for await (const batch of readSegments({ active }, LOG_START)) {
      for (const line of batch.lines) {
        const event: unknown = JSON.parse(line);
        if (isEvent(event)) foldEvent(viewOf(views, event), event);
      }
    }
    const nowMs = Date.now();
    for (const view of views.values())
      readSession(view, { nowMs, quietMs: Math.max(0, nowMs - Date.parse(view.lastAt)) });
    return views.size;
  },
  async monitor(path) {
    const monitor = new LifecycleSessionMonitor({ path });
    await monitor.start();
    const known = monitor.sessions().length;
    await monitor.stop();
    return known;
  },
};

function viewOf(views: Map<string, SessionView>, { sessionId }: HooklineEvent): SessionView {
  const known = views.get(sessionId);
  if (known !== undefined) return known;
  const view = createSessionView(sessionId, claude.usage);
  views.set(sessionId, view);
  return view;
}

if (import.meta.main) {
  const [kind, log] = process.argv.slice(2) as [ReplayKind, string];
  const startedAt = performance.now();
  const result = await passes[kind](log);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const trial: ReplayTrial = {
    seconds,
    cpuMs: (userCPUTime + systemCPUTime) / 1_000,
    rssMb: maxRSS / 1_024,
    result,
  };
  process.stdout.write(JSON.stringify(trial));
}
