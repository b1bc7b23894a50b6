import { contentHash, factId } from "../event/ids.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import type { ToldSession } from "../store/memory-rows.ts";

export interface TurnPorts {
  /** A payload in the words of Claude Code's hooks; returns when it is safe. */
  record(payload: Readonly<Record<string, unknown>>): Promise<{ readonly eventIds: readonly string[] }>;
  /** Undefined for one that nobody has told of. */
  session(sessionId: string): Promise<ToldSession | undefined>;
  /** For a call that has no id of its own. */
  newId(): string;
}

/** A project may be only a name. */
export interface PlaceTold {
  readonly cwd?: string | undefined;
  readonly project?: string | undefined;
}

/** Where a session is, since clients do not say it. */
export interface Turn {
  cwd: string | null;
  prompts: number;
  promptId: string | null;
  isPrivate: boolean;
  /** The last prompt's text, as a hash: the same one is told twice, by the client and by its worker's start. */
  last: { readonly number: number; readonly hash: string } | null;
}

/** In which turn each session is. */
export interface WorkerTurns {
  /** Null for a session that tells of itself. Looked up when it is new to us, and again at every prompt. */
  find(sessionId: string, place: PlaceTold, isPrompt: boolean): Promise<Turn | null>;
  forget(sessionId: string): void;
}

const MAX_TURNS = 10_000;

export function createWorkerTurns(ports: TurnPorts): WorkerTurns {
  const turns = new Map<string, Turn>();
  return {
    async find(sessionId, { cwd, project }, isPrompt) {
      let turn = turns.get(sessionId);
      const here = folderOf(cwd) ?? folderOf(project);
      if (turn === undefined || isPrompt) {
        const known = await ports.session(sessionId);
        if (known?.tellsItself === true) {
          turns.delete(sessionId);
          return null;
        }
        if (turn === undefined) {
          if (turns.size >= MAX_TURNS) turns.clear();
          turn = beginTurn(known, here);
          turns.set(sessionId, turn);
          const named = project === undefined || folderOf(project) !== undefined ? {} : { project };
          if (known === undefined)
            await ports.record({ ...hookBase(sessionId, turn, "SessionStart"), source: "startup", ...named });
        }
      }
      if (here !== undefined) turn.cwd = here;
      return turn;
    },
    forget: (sessionId) => void turns.delete(sessionId),
  };
}

/** Records a prompt, which begins a turn. */
export async function recordPrompt(
  ports: TurnPorts,
  sessionId: string,
  turn: Turn,
  prompt: string,
  number?: number,
): Promise<void> {
  const hash = contentHash(prompt.replace(/^\//, "").trim());
  if (turn.last?.hash === hash && turn.last.number === number) return;
  turn.isPrivate = isWhollyPrivate(prompt);
  const own = number ?? turn.prompts + 1;
  // Private ones have no number.
  if (!turn.isPrivate) turn.prompts = Math.max(turn.prompts, own);
  turn.promptId = factId("worker-prompt", sessionId, turn.isPrivate ? ports.newId() : String(own), hash);
  turn.last = { number: own, hash };
  await ports.record({ ...hookBase(sessionId, turn, "UserPromptSubmit"), prompt });
}

function beginTurn(known: ToldSession | undefined, here: string | undefined): Turn {
  const { cwd = null, prompts = 0, promptId = null, isPrivate = false } = known ?? {};
  return { cwd: here ?? cwd, prompts, promptId, isPrivate, last: null };
}

/** What every payload of a hook says. */
export function hookBase(sessionId: string, { cwd, promptId }: Turn, hookEventName: string) {
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
