import { contentHash, factId, rowId } from "../event/ids.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import type { ToldSession } from "../store/memory-rows.ts";

/** What clients of the worker's routes may cause. What they tell goes the way of a hook's payload. */
export interface WorkerPorts {
  /** A payload in the words of Claude Code's hooks; returns when it is safe. */
  record(payload: Readonly<Record<string, unknown>>): Promise<{ readonly eventIds: readonly string[] }>;
  /** Undefined for one that nobody has told of. */
  session(sessionId: string): Promise<ToldSession | undefined>;
  /** The session of a row of `sdk_sessions`. */
  sessionOfRow(row: number): Promise<string | undefined>;
  /** For a call that has no id of its own. */
  newId(): string;
}

export interface PromptTold {
  readonly prompt?: string | undefined;
  readonly promptNumber?: number | undefined;
  readonly place: PlaceTold;
}

/** A project may be only a name. */
export interface PlaceTold {
  readonly cwd?: string | undefined;
  readonly project?: string | undefined;
}

export interface CallTold {
  readonly toolName: string;
  readonly toolInput?: unknown;
  readonly toolResponse?: unknown;
  readonly toolUseId?: string | undefined;
  readonly place: PlaceTold;
}

export interface WorkerAnswer {
  readonly status: "ok" | "skipped";
  readonly sessionDbId: number;
  readonly promptNumber: number;
  readonly skipped: boolean;
  readonly reason?: string;
}

export interface WorkerSessions {
  init(sessionId: string, told: PromptTold): Promise<WorkerAnswer>;
  observe(sessionId: string, call: CallTold): Promise<WorkerAnswer>;
  summarize(
    sessionId: string,
    told: { user?: string | undefined; assistant?: string | undefined },
  ): Promise<WorkerAnswer>;
  complete(sessionId: string, reason: string | undefined): Promise<WorkerAnswer>;
  sessionOfRow(row: number): Promise<string | undefined>;
}

interface Turn {
  cwd: string | null;
  prompts: number;
  promptId: string | null;
  isPrivate: boolean;
  /** The last prompt's text, as a hash: the same one is told twice, by the client and by its worker's start. */
  last: { readonly number: number; readonly hash: string } | null;
}

const MOST = 10_000;

/** Knows of every session in which turn it is, since clients do not say it. One for all servers of a daemon. */
export function createWorkerSessions(ports: WorkerPorts): WorkerSessions {
  const turns = new Map<string, Turn>();
  /** By session: until its turn is found for the one who asked last. */
  const finding = new Map<string, Promise<unknown>>();
  /** What is told of a session is told in the order in which it came, however long it takes to find its turn. */
  const inOrder = <T>(sessionId: string, work: () => Promise<T>): Promise<T> => {
    const next = (finding.get(sessionId) ?? Promise.resolve()).then(work);
    const done = next
      .catch(() => undefined)
      .then(() => {
        if (finding.get(sessionId) === done) finding.delete(sessionId);
      });
    finding.set(sessionId, done);
    return next;
  };

  /** Null for a session that tells of itself. Looked up when it is new to us, and again at every prompt. */
  const turnOf = async (
    sessionId: string,
    { cwd, project }: PlaceTold,
    isPrompt: boolean,
  ): Promise<Turn | null> => {
    let turn = turns.get(sessionId);
    const here = folderOf(cwd) ?? folderOf(project);
    if (turn === undefined || isPrompt) {
      const known = await ports.session(sessionId);
      if (known?.tellsItself === true) {
        turns.delete(sessionId);
        return null;
      }
      if (turn === undefined) {
        if (turns.size >= MOST) turns.clear();
        turn = beginTurn(known, here);
        turns.set(sessionId, turn);
        const named = project === undefined || folderOf(project) !== undefined ? {} : { project };
        if (known === undefined)
          await ports.record({ ...base(sessionId, turn, "SessionStart"), source: "startup", ...named });
      }
    }
    if (here !== undefined) turn.cwd = here;
    return turn;
  };

  const tellPrompt = async (
    sessionId: string,
    turn: Turn,
    prompt: string,
    number?: number,
  ): Promise<void> => {
    const hash = contentHash(prompt.replace(/^\//, "").trim());
    if (turn.last?.hash === hash && turn.last.number === number) return;
    turn.isPrivate = isWhollyPrivate(prompt);
    const own = number ?? turn.prompts + 1;
    // Private ones have no number.
    if (!turn.isPrivate) turn.prompts = Math.max(turn.prompts, own);
    turn.promptId = factId("worker-prompt", sessionId, turn.isPrivate ? ports.newId() : String(own), hash);
    turn.last = { number: own, hash };
    await ports.record({ ...base(sessionId, turn, "UserPromptSubmit"), prompt });
  };

  const within = async (
    sessionId: string,
    place: PlaceTold & { readonly isPrompt?: boolean },
    tell: (turn: Turn) => Promise<WorkerAnswer["reason"]>,
  ): Promise<WorkerAnswer> => {
    const { turn, telling } = await inOrder(sessionId, async () => {
      const found = await turnOf(sessionId, place, place.isPrompt ?? false);
      // Begun before the next one's turn is looked for, but not waited for by it.
      return { turn: found, telling: found === null ? "recorded by hooks" : tell(found) };
    });
    const reason = await telling;
    return {
      status: reason === undefined ? "ok" : "skipped",
      sessionDbId: rowId("session", sessionId),
      promptNumber: turn?.prompts ?? (await ports.session(sessionId))?.prompts ?? 0,
      skipped: reason !== undefined,
      ...(reason !== undefined && { reason }),
    };
  };
  const whyHidden = (turn: Turn): string | undefined => (turn.isPrivate ? "private" : undefined);

  return {
    init: (sessionId, { prompt = "", promptNumber, place }) =>
      within(sessionId, { ...place, isPrompt: true }, async (turn) => {
        if (prompt.trim() === "") return "empty";
        await tellPrompt(sessionId, turn, prompt, promptNumber);
        return whyHidden(turn);
      }),
    // What a private prompt hides is told too: the acceptor keeps that it happened, and nothing of it.
    observe: (sessionId, call) =>
      within(sessionId, call.place, async (turn) => {
        await ports.record({
          ...base(sessionId, turn, "PostToolUse"),
          tool_name: call.toolName,
          tool_input: call.toolInput,
          tool_response: call.toolResponse,
          tool_use_id: call.toolUseId ?? ports.newId(),
        });
        return whyHidden(turn);
      }),
    summarize: (sessionId, { user = "", assistant }) =>
      within(sessionId, {}, async (turn) => {
        // Of a client that never told a prompt.
        if (turn.promptId === null && user.trim() !== "") await tellPrompt(sessionId, turn, user);
        await ports.record({ ...base(sessionId, turn, "Stop"), last_assistant_message: assistant });
        return whyHidden(turn);
      }),
    complete: (sessionId, reason) =>
      within(sessionId, {}, async (turn) => {
        await ports.record({ ...base(sessionId, turn, "SessionEnd"), reason: reason ?? "other" });
        turns.delete(sessionId);
        return undefined;
      }),
    sessionOfRow: ports.sessionOfRow,
  };
}

function beginTurn(known: ToldSession | undefined, here: string | undefined): Turn {
  const { cwd = null, prompts = 0, promptId = null, isPrivate = false } = known ?? {};
  return { cwd: here ?? cwd, prompts, promptId, isPrivate, last: null };
}

function base(sessionId: string, { cwd, promptId }: Turn, hookEventName: string) {
  return {
    session_id: sessionId,
    hook_event_name: hookEventName,
    ...(cwd !== null && { cwd }),
    ...(promptId !== null && { prompt_id: promptId }),
  };
}

/** A name is no folder. */
function folderOf(text: string | undefined): string | undefined {
  return text?.startsWith("/") ? text : undefined;
}
