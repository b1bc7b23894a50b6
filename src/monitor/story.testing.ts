import { claude } from "../agents/claude/claude.ts";
import { createAcceptor } from "../capture/accept.ts";
import { fromForeignLine } from "../capture/foreign-event.ts";
import type { HooklineEvent } from "../event/event.ts";
import { contentHash } from "../event/ids.ts";
import { processGoneEvent, statusEvent } from "./decide-evidence.ts";
import { foldEvent } from "./fold-event.ts";
import { readSession } from "./read-session.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createSessionView, type SessionView } from "./session-view.ts";

const START = Date.UTC(2026, 10, 15, 12);
const CWD = "/home/dev/acme-shop";

/** The time `seconds` after a story's start. */
export const iso = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

export interface HookContext {
  readonly sessionId?: string;
  readonly pid?: number | null;
  readonly env?: Readonly<Record<string, string>>;
}

/** What happens in one session, as reported by hooks, transcripts, the registry and other programs. */
export interface Story {
  readonly view: SessionView;
  readonly events: HooklineEvent[];
  /** A hook payload, through the translator and all redaction. */
  hook(seconds: number, name: string, fields?: object, context?: HookContext): void;
  /** A line of the main transcript. */
  line(seconds: number, fields: object): void;
  /** A line of another program's stream. */
  stream(seconds: number, fields: object): void;
  /** A status from the agent's own registry. */
  registryStatus(
    seconds: number,
    status: "busy" | "idle" | "waiting",
    waitingFor?: string,
    entrypoint?: string,
  ): void;
  processGone(seconds: number, pid?: number): void;
  prompt(seconds: number, promptId: string, prompt: string): void;
  startCall(seconds: number, toolUseId: string, command: string, fields?: object): void;
  requestPermission(seconds: number, command: string, fields?: object): void;
  endCall(seconds: number, toolUseId: string, command: string, fields?: object): void;
  stop(seconds: number, promptId: string, fields?: object): void;
  /** The snapshot at that time, if nothing else has arrived. */
  at(seconds: number): SessionSnapshot;
}

export function createStory(sessionId = "s1"): Story {
  const view = createSessionView(sessionId, claude.usage);
  const events: HooklineEvent[] = [];
  const acceptor = createAcceptor({ mayRecord: () => true });
  const path = `/home/dev/.claude/projects/-home-dev-acme-shop/${sessionId}.jsonl`;
  const transcript = claude.transcripts.open({ path }, (cwd) => cwd);
  let deliveries = 0;
  let lastEventAt = 0;

  const addEvents = (arrived: readonly HooklineEvent[], seconds: number): void => {
    lastEventAt = seconds;
    for (const event of arrived) {
      events.push(event);
      if (event.sessionId === sessionId) foldEvent(view, event);
    }
  };

  const story: Story = {
    view,
    events,
    hook(seconds, name, fields = {}, context = {}) {
      const payload = {
        session_id: context.sessionId ?? sessionId,
        transcript_path: path,
        cwd: CWD,
        hook_event_name: name,
        ...fields,
      };
      const pid = context.pid === undefined ? 100 : context.pid;
      const delivery = {
        payload,
        env: context.env ?? {},
        name: `${pid}-${++deliveries}-0`,
        timeNs: `${Date.parse(iso(seconds))}000000`,
        occurredAtIso: iso(seconds),
        contentHash: () => contentHash(JSON.stringify(payload)),
        pid,
      };
      addEvents(acceptor.accept(claude.translateHook(delivery, (cwd) => cwd)), seconds);
    },
    line(seconds, fields) {
      addEvents(
        acceptor.accept(
          transcript.translateLine({ sessionId, cwd: CWD, timestamp: iso(seconds), ...fields }),
        ),
        seconds,
      );
    },
    stream(seconds, fields) {
      const line = JSON.stringify({ sessionId, occurredAtIso: iso(seconds), provider: "codex", ...fields });
      addEvents([fromForeignLine(line)!], seconds);
    },
    registryStatus(seconds, status, waitingFor, entrypoint = "cli") {
      const statusUpdatedAtMs = Date.parse(iso(seconds));
      const entry = registryEntry({
        sessionId,
        status,
        statusUpdatedAtMs,
        entrypoint,
        waitingFor: waitingFor ?? null,
      });
      const event = statusEvent(sessionId, entry, CWD, CWD);
      events.push(event);
      foldEvent(view, event);
    },
    processGone(seconds, pid = 100) {
      const event = processGoneEvent(view, pid, iso(seconds));
      events.push(event);
      foldEvent(view, event);
    },
    prompt: (seconds, promptId, prompt) =>
      story.hook(seconds, "UserPromptSubmit", { prompt_id: promptId, prompt }),
    startCall: (seconds, toolUseId, command, fields) =>
      story.hook(seconds, "PreToolUse", {
        ...bash(command),
        prompt_id: "p1",
        tool_use_id: toolUseId,
        ...fields,
      }),
    requestPermission: (seconds, command, fields) =>
      story.hook(seconds, "PermissionRequest", { ...bash(command), prompt_id: "p1", ...fields }),
    endCall: (seconds, toolUseId, command, fields) =>
      story.hook(seconds, "PostToolUse", {
        ...bash(command),
        prompt_id: "p1",
        tool_use_id: toolUseId,
        tool_response: { stdout: "" },
        ...fields,
      }),
    stop: (seconds, promptId, fields) => story.hook(seconds, "Stop", { prompt_id: promptId, ...fields }),
    at: (seconds) =>
      readSession(view, {
        nowMs: Date.parse(iso(seconds)),
        quietMs: Math.max(0, (seconds - lastEventAt) * 1_000),
      }),
  };
  return story;
}

const bash = (command: string): object => ({ tool_name: "Bash", tool_input: { command } });

/** An entry of Claude Code's registry. */
export function registryEntry(fields: Partial<Parameters<typeof statusEvent>[1]> = {}) {
  const entry = {
    provider: claude.id,
    pid: 100,
    sessionId: "s1",
    cwd: CWD,
    startedAtMs: START,
    procStart: "1",
    pidDomain: null,
    version: "2.1.325",
    kind: "interactive",
    entrypoint: "cli",
    name: null,
    nameSource: null,
    tmux: null,
    status: "busy" as const,
    waitingFor: null,
    statusUpdatedAtMs: START,
    updatedAtMs: START,
    ...fields,
  };
  return { ...entry, attended: claude.liveness.isAttended(entry) };
}

/** The environment of a session with a person at the terminal. */
export const ATTENDED: HookContext = { env: { CLAUDE_CODE_SESSION_ATTENDED: "1" } };
