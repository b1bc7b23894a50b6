import type { Replay } from "../control/replay-calls.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { Home } from "../home.ts";
import { localTime } from "../shown/duration.ts";
import { oneLine } from "../shown/plain-text.ts";
import { plural } from "./amounts.ts";
import { openLog } from "./open-log.ts";
import type { Paint } from "./paint.ts";
import { VERDICT_COLOURS } from "./policy-test.ts";
import { callText, timesText } from "./policy-text.ts";

export function replayText(replay: Replay, paint: Paint, now: number): string {
  const lines = replay.found.map((call) => {
    const currentVerdict = call.now === null ? "" : `  now: ${call.now}`;
    const rewrittenText =
      call.updatedInput === undefined
        ? ""
        : ` → ${callText(call.toolName, call.updatedInput, call.toolKind)}`;
    const verdict = paint(VERDICT_COLOURS[call.verdict], call.verdict.padEnd(5));
    const why = paint("dim", `(${call.rule}) ${oneLine(call.reason)}`);
    return `${verdict}  ${localTime(call.atIso, now)}  ${call.sessionId.slice(0, 8)}  ${callText(call.toolName, call.toolInput, call.toolKind)}${rewrittenText}${currentVerdict}  ${why}`;
  });
  const rewritten = replay.rewritten === 0 ? "" : `, rewritten ${replay.rewritten}`;
  const differ = replay.changed === null ? "" : `; ${replay.changed} differ from the active rules`;
  const summary = `Of ${plural(replay.calls, "call")}: would have asked ${timesText(replay.asked)}, denied ${replay.denied}${rewritten}${differ}.`;
  return [...lines, summary].join("\n");
}

/** Each call once, in log order, from the best source: a hook knows the mode, a transcript does not. */
export async function readCalls(home: Home, sinceIso: string): Promise<HooklineEvent[]> {
  const calls = new Map<string, HooklineEvent>();
  for await (const { lines } of openLog(home).read()) {
    for (const line of lines) {
      if (!line.includes('"tool.start"')) continue;
      const event = JSON.parse(line) as HooklineEvent;
      if (event.eventType !== "tool.start" || event.occurredAtIso < sinceIso) continue;
      const known = calls.get(event.id);
      if (known === undefined || known["permissionMode"] == null) calls.set(event.id, event);
    }
  }
  return [...calls.values()];
}
