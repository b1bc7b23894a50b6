import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HooklineEvent } from "../event/event.ts";
import { memoryInjectedEvent } from "../event/memory-events.ts";
import type { Home } from "../home.ts";
import type { DigestSource } from "./inject/build-digest.ts";
import type { InjectedContext } from "./inject/fill-budget.ts";
import { estimateTokens } from "./item-text.ts";

/** Which digest the start hook prints, by the session's source. */
const SOURCES: Readonly<Record<string, DigestSource>> = {
  startup: "startup",
  clear: "startup",
  resume: "resume",
  fork: "resume",
  compact: "compact",
};

export function isSessionStart(event: HooklineEvent): boolean {
  return event.eventType === "session.lifecycle" && event.phase === "started" && event.origin === "hook";
}

type InjectedAt = (
  project: string,
  sessionId: string,
  source: DigestSource,
  atIso: string,
) => InjectedContext | undefined;

/** The start hook's output as an event; undefined when it was empty or is unknown. */
export function startInjectionEvent(
  event: HooklineEvent,
  home: Pick<Home, "context">,
  injectedAt: InjectedAt,
): HooklineEvent | undefined {
  const source = SOURCES[String(event["source"])];
  const { sessionId, projectPath, occurredAtIso } = event;
  if (source === undefined || projectPath === null) return undefined;
  const injected =
    injectedAt(projectPath, sessionId, source, occurredAtIso) ??
    injectedByFile(home, projectPath, sessionId, source, occurredAtIso);
  if (injected === undefined) return undefined;
  const { tokens, items } = injected;
  const base = { sessionId, projectPath, occurredAtIso };
  return memoryInjectedEvent(base, { kind: source, key: event.id, tokens, items: [...items] });
}

/** For a session that started while no daemon ran: its digest file may still exist. */
function injectedByFile(
  home: Pick<Home, "context">,
  project: string,
  sessionId: string,
  source: DigestSource,
  atIso: string,
): InjectedContext | undefined {
  const ownFile = FILE_NAME.test(sessionId) ? [`${source}-${sessionId}.json`] : [];
  for (const name of [...ownFile, `${source}.json`]) {
    const text = readBefore(join(home.context, project, name), atIso);
    if (text === undefined) continue;
    const ids = [...new Set([...text.matchAll(/#(\d{4,16})\b/g)].map((match) => Number(match[1])))];
    if (ids.length === 0) return undefined;
    const items = ids.map((id) => ({ id, title: "", why: "in the prepared digest", tokens: 0 }));
    return { text, tokens: estimateTokens(text), items };
  }
  return undefined;
}

/** A session id may be any text. */
const FILE_NAME = /^[\w-]{1,200}$/;

/** Reads a file that existed at that time and has not changed since. */
function readBefore(path: string, atIso: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.mtime.toISOString() > atIso) return undefined;
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
