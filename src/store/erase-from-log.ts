import { type HooklineEvent, isEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import type { Log } from "../log/log.ts";
import { contentOf, forgetContent } from "../privacy/forgotten-event.ts";
import { isFoundIn, isFoundInText, type TextFinder } from "../privacy/forgotten-text.ts";

export interface GuardedText {
  readonly finder: TextFinder;
  readonly at: string;
}

export interface LogErasure {
  readonly facts: ReadonlySet<string>;
  /** Whole sessions, each with the time up to which it is erased. */
  readonly sessions: ReadonlyMap<string, string>;
  readonly guards: readonly GuardedText[];
}

export interface LogErasureReport {
  /** Every fact with an erased line, now or earlier. */
  readonly facts: ReadonlySet<string>;
  /** Those whose existence the log still records. */
  readonly stillLogged: ReadonlySet<string>;
}

/** Erases forgotten content from the log. Idempotent. */
export async function eraseFromLog(log: Pick<Log, "erase">, erasure: LogErasure): Promise<LogErasureReport> {
  const facts = new Set<string>();
  const stillLogged = new Set<string>();
  await log.erase((line) => {
    const isTextFound = erasure.guards.some(({ finder }) => isFoundInText(finder, line));
    if (!isTextFound && !mayConcern(line, erasure)) return undefined;
    const event = parse(line);
    if (event === undefined) return isTextFound ? "" : undefined;
    if (event.eventType === "memory.forgotten") return undefined;
    const forgottenAtIso = erasure.sessions.get(event.sessionId);
    if (forgottenAtIso !== undefined && event.occurredAtIso <= forgottenAtIso) return "";
    const guards = isTextFound ? erasure.guards.filter(({ at }) => event.occurredAtIso <= at) : [];
    const containsText = (candidate: HooklineEvent): boolean =>
      guards.some(({ finder }) => isFoundIn(finder, contentOf(candidate)));
    if (!erasure.facts.has(event.id) && !containsText(event)) return undefined;
    facts.add(event.id);
    const bare = forgetContent(event);
    const text = toLine(bare);
    if (containsText(bare) || Buffer.byteLength(text) > Buffer.byteLength(line)) return "";
    stillLogged.add(event.id);
    return text === line.trimEnd() ? undefined : text;
  });
  return { facts, stillLogged: stillLogged };
}

/** Cheap check first: in our lines the id and the session come before any content. */
function mayConcern(line: string, { facts, sessions }: LogErasure): boolean {
  const id = /"id":"([^"\\]+)"/.exec(line)?.[1];
  const session = /"sessionId":"([^"\\]+)"/.exec(line)?.[1];
  if (id === undefined || session === undefined) return true;
  return facts.has(id) || sessions.has(session);
}

/** The events whose lines contain a text, including one hidden in the database by a stronger report. */
export async function* findInLog(log: Pick<Log, "read">, finder: TextFinder): AsyncGenerator<HooklineEvent> {
  for await (const batch of log.read()) {
    for (const line of batch.lines) {
      if (!isFoundInText(finder, line)) continue;
      const event = parse(line);
      if (
        event !== undefined &&
        event.eventType !== "memory.forgotten" &&
        isFoundIn(finder, contentOf(event))
      )
        yield event;
    }
  }
}

function parse(line: string): HooklineEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
