import { request } from "node:http";
import { join } from "node:path";
import type { SessionSnapshot, StreamPatch, StreamReset } from "../../src/serve/contract.ts";
import type { Scratch } from "./claude.ts";
import { homeOf } from "./cli.ts";
import { PATIENCE_MS } from "./patience.ts";

/** A subscriber to `/api/stream` of a scratch home's daemon that records everything it receives. */
export interface StreamWatcher {
  sessions(): SessionSnapshot[];
  /** Every snapshot received, in order. */
  readonly shown: readonly { readonly atMs: number; readonly session: SessionSnapshot }[];
  /** The first matching snapshot, received already or later. */
  until(matches: (session: SessionSnapshot) => boolean, timeoutMs?: number): Promise<SessionSnapshot>;
  close(): void;
}

export function watchStream(scratch: Scratch): Promise<StreamWatcher> {
  const sessions = new Map<string, SessionSnapshot>();
  const shown: { atMs: number; session: SessionSnapshot }[] = [];
  let wake: () => void = () => undefined;
  const show = (session: SessionSnapshot): void => {
    sessions.set(session.sessionId, session);
    shown.push({ atMs: Date.now(), session });
  };
  const handleMessage = (message: string): void => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(message)?.[1] ?? "";
    const data = field("data");
    if (data === "") return;
    const body: unknown = JSON.parse(data);
    if (field("event") === "reset") for (const session of (body as StreamReset).sessions) show(session);
    if (field("event") === "patch") {
      const { sessionId, set } = body as StreamPatch;
      show({ ...sessions.get(sessionId), ...set } as SessionSnapshot);
    }
    wake();
  };

  return new Promise((resolve, reject) => {
    const call = request({ socketPath: join(homeOf(scratch), "sock"), path: "/api/stream", agent: false });
    call.on("error", reject).end();
    scratch.onCleanup(() => call.destroy());
    call.on("response", (response) => {
      let text = "";
      response.on("error", () => undefined);
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        const messages = text.split("\n\n");
        text = messages.pop() ?? "";
        for (const message of messages) handleMessage(message);
      });
      resolve({
        sessions: () => [...sessions.values()],
        shown,
        async until(matches, timeoutMs = PATIENCE_MS) {
          const end = Date.now() + timeoutMs;
          for (;;) {
            const found = [...sessions.values()].find(matches);
            if (found !== undefined) return found;
            const restMs = end - Date.now();
            if (restMs <= 0)
              throw new Error(
                `not within ${timeoutMs} ms: ${matches}\n${describeSessions([...sessions.values()])}`,
              );
            await new Promise<void>((done) => {
              wake = done;
              setTimeout(done, Math.min(restMs, 200));
            });
          }
        },
        close: () => call.destroy(),
      });
    });
  });
}

function describeSessions(sessions: readonly SessionSnapshot[]): string {
  return sessions
    .map(({ sessionId, state, activityPhase, why, evidence }) =>
      JSON.stringify({ sessionId: sessionId.slice(0, 8), state, activityPhase, why, evidence }),
    )
    .join("\n");
}
