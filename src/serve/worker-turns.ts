import { contentHash, factId } from "../event/ids.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import type { RecordedSession } from "../store/memory-rows.ts";

export interface TurnPorts {
  /** Records a payload in the format of Claude Code's hooks; resolves when it is safe. */
  record(payload: Readonly<Record<string, unknown>>): Promise<{ readonly eventIds: readonly string[] }>;
  /** Undefined for an unknown session. */
  session(sessionId: string): Promise<RecordedSession | undefined>;
  /** For a call without an id of its own. */
  newId(): string;
}

/** A project may be just a name. */
export interface WorkerLocation {
  readonly cwd?: string | undefined;
  readonly project?: string | undefined;
}

/** The current turn of a session, because clients do not send it. */
export interface Turn {
  cwd: string | null;
  prompts: number;
  promptId: string | null;
  isPrivate: boolean;
  /** Hash of the last prompt, which is reported twice: by the client and when its worker starts. */
  last: { readonly number: number; readonly hash: string } | null;
}

/** Tracks the current turn of each session. */
export interface WorkerTurns {
  /** Null for a session recorded by its own hooks. Looked up for a new session, and again at every prompt. */
  find(sessionId: string, location: WorkerLocation, isPrompt: boolean): Promise<Turn | null>;
  forget(sessionId: string): void;
}

const MAX_TURNS = 10_000;

export function createWorkerTurns(ports: TurnPorts): WorkerTurns {
  const turns = new Map<string, Turn>();
  return {
    async find(sessionId, { cwd, project }, isPrompt) {
      let turn = turns.get(sessionId);
      const folder = folderOf(cwd) ?? folderOf(project);
      if (turn === undefined || isPrompt) {
        const recorded = await ports.session(sessionId);
        if (recorded?.isSelfReported === true) {
          turns.delete(sessionId);
          return null;
        }
        if (turn === undefined) {
          if (turns.size >= MAX_TURNS) turns.clear();
          turn = startTurn(recorded, folder);
          turns.set(sessionId, turn);
          const projectName = project === undefined || folderOf(project) !== undefined ? {} : { project };
          if (recorded === undefined)
            await ports.record({
              ...toHookBase(sessionId, turn, "SessionStart"),
              source: "startup",
              ...projectName,
            });
        }
      }
      if (folder !== undefined) turn.cwd = folder;
      return turn;
    },
    forget: (sessionId) => void turns.delete(sessionId),
  };
}

/** Records a prompt, which starts a turn. */
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
  const promptNumber = number ?? turn.prompts + 1;
  // Private prompts have no number.
  if (!turn.isPrivate) turn.prompts = Math.max(turn.prompts, promptNumber);
  turn.promptId = factId(
    "worker-prompt",
    sessionId,
    turn.isPrivate ? ports.newId() : String(promptNumber),
    hash,
  );
  turn.last = { number: promptNumber, hash };
  await ports.record({ ...toHookBase(sessionId, turn, "UserPromptSubmit"), prompt });
}

function startTurn(recorded: RecordedSession | undefined, folder: string | undefined): Turn {
  const { cwd = null, prompts = 0, promptId = null, isPrivate = false } = recorded ?? {};
  return { cwd: folder ?? cwd, prompts, promptId, isPrivate, last: null };
}

/** The fields that every hook payload has. */
export function toHookBase(sessionId: string, { cwd, promptId }: Turn, hookEventName: string) {
  return {
    session_id: sessionId,
    hook_event_name: hookEventName,
    ...(cwd !== null && { cwd }),
    ...(promptId !== null && { prompt_id: promptId }),
  };
}

/** A bare name is not a folder. */
function folderOf(text: string | undefined): string | undefined {
  return text?.startsWith("/") ? text : undefined;
}
