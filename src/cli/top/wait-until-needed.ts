import type { Home } from "../../home.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { abortOnSignals } from "../abort-on-signals.ts";
import { applyStreamMessage, followStream } from "../follow-stream.ts";
import { note, print } from "../output.ts";
import { noPaint } from "../paint.ts";
import { sessionLines } from "../session-line.ts";
import { sortSessions } from "../state-badge.ts";
import { terminalWidth } from "../terminal-width.ts";

/** For scripts: prints nothing until sessions wait for a person, then lists them. False if aborted first. */
export async function waitUntilNeeded(home: Home): Promise<boolean> {
  const { signal } = abortOnSignals();
  let sessions: ReadonlyMap<string, SessionSnapshot> = new Map();
  let isAnnounced = false;
  for await (const message of followStream(home.sock, { signal })) {
    if (message.type === "down" && !isAnnounced) note("The daemon is not running; waiting for it.");
    isAnnounced = message.type === "down";
    if (message.type === "down" || message.type === "gap") continue;
    sessions = applyStreamMessage(sessions, message);
    const waiting = sortSessions([...sessions.values()].filter(({ needsPerson }) => needsPerson));
    if (waiting.length === 0) continue;
    const options = { width: terminalWidth(), now: Date.now(), paint: noPaint };
    print(waiting.flatMap((session) => sessionLines(session, options)).join("\n"));
    return true;
  }
  return false;
}
