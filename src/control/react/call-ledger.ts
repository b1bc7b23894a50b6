import { isEditCall, kindOfCall, recordedForm } from "../../agents/tool-call.ts";
import type { ToolForm } from "../../agents/tool-table.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { commandOutcome, toShellRun } from "../../memory/compress/command-outcome.ts";

/** One successful call, or the start of a range of them. */
export type LedgerEntry =
  | {
      readonly type: "call";
      readonly toolName: string;
      readonly toolForm?: ToolForm;
      readonly toolInput: unknown;
      readonly isEdit: boolean;
    }
  | { readonly type: "prompt" };

export interface StoredEvent {
  readonly seq: number;
  readonly event: HooklineEvent;
}

export interface LedgerOptions {
  /** Events of one session after a position, in order. */
  readonly events: (query: {
    readonly after: number;
    readonly limit: number;
    readonly sessionId: string;
  }) => Promise<readonly StoredEvent[]>;
  /** Resolves when everything that hooks wrote so far is included. */
  readonly catchUp: () => Promise<void>;
}

export interface CallLedger {
  /** A session's successful calls, oldest first: all, those of the current turn, or since the last edit. */
  calls(
    sessionId: string,
    since: "session" | "turn" | "edit",
  ): Promise<readonly Extract<LedgerEntry, { type: "call" }>[]>;
}

const PAGE_SIZE = 500;
const MAX_SESSIONS = 100;
const MAX_ENTRIES = 2_000;
/** How many characters of a text a matcher sees. */
const MAX_MATCHED_CHARS = 4_000;

interface SessionLedger {
  /** The last event read: its position, and its id to detect whether it still exists. */
  last: { readonly seq: number; readonly id: string } | null;
  readonly entries: LedgerEntry[];
}

/** Calls of sessions that a rule asks about. Reads each event from the database once until a rebuild. */
export function createCallLedger({ events, catchUp }: LedgerOptions): CallLedger {
  const ledgers = new Map<string, SessionLedger>();

  const read = async (sessionId: string): Promise<readonly LedgerEntry[]> => {
    const ledger = await openLedger(sessionId);
    for (;;) {
      const page = await events({ after: ledger.last?.seq ?? 0, limit: PAGE_SIZE, sessionId });
      for (const { event } of page) {
        const entry = toEntry(event);
        if (entry !== null) ledger.entries.push(entry);
      }
      const last = page.at(-1);
      if (last !== undefined) ledger.last = { seq: last.seq, id: last.event.id };
      if (ledger.entries.length > MAX_ENTRIES) ledger.entries.splice(0, ledger.entries.length - MAX_ENTRIES);
      if (page.length < PAGE_SIZE) return ledger.entries;
    }
  };

  const openLedger = async (sessionId: string): Promise<SessionLedger> => {
    const known = ledgers.get(sessionId);
    const isValid = known !== undefined && (await isLastStillStored(known, sessionId));
    const ledger: SessionLedger = isValid ? known : { last: null, entries: [] };
    ledgers.delete(sessionId);
    ledgers.set(sessionId, ledger);
    if (ledgers.size > MAX_SESSIONS) ledgers.delete(ledgers.keys().next().value!);
    return ledger;
  };

  /** After a rebuild, another event may have that position. */
  const isLastStillStored = async ({ last }: SessionLedger, sessionId: string): Promise<boolean> =>
    last === null || (await events({ after: last.seq - 1, limit: 1, sessionId }))[0]?.event.id === last.id;

  /** Serialized: two concurrent reads of the same ledger would add the same entries twice. */
  let reading: Promise<unknown> = Promise.resolve();
  const readExclusive = (sessionId: string): Promise<readonly LedgerEntry[]> => {
    const next = reading.then(async () => [...(await read(sessionId))]);
    reading = next.catch(() => undefined);
    return next;
  };

  return {
    async calls(sessionId, since) {
      await catchUp();
      const entries = await readExclusive(sessionId);
      const from = entries.findLastIndex((entry) => startsRange(entry, since));
      return entries.slice(from + 1).filter((entry) => entry.type === "call");
    },
  };
}

function startsRange(entry: LedgerEntry, since: "session" | "turn" | "edit"): boolean {
  if (since === "turn") return entry.type === "prompt";
  return since === "edit" && entry.type === "call" && entry.isEdit;
}

function toEntry(event: HooklineEvent): LedgerEntry | null {
  const { eventType, payload } = event;
  if (eventType === "turn.start" && event["machine"] !== true) return { type: "prompt" };
  const toolName = payload?.toolName;
  if (eventType !== "tool_observation" || payload?.success !== true || toolName == null) return null;
  const toolInput =
    kindOfCall(payload) === "shell" ? succeededCommands(payload) : matchableInput(payload.toolInput);
  if (toolInput === null) return null;
  return { type: "call", toolName, ...recordedForm(payload), toolInput, isEdit: isEditCall(payload) };
}

/** Only the commands of a shell line known to have succeeded; for a matcher, the others did not run. */
function succeededCommands(payload: unknown): { readonly command: string } | null {
  const { succeeded } = commandOutcome(toShellRun(payload));
  const command = succeeded.join("\n");
  return command === "" || command.length >= MAX_MATCHED_CHARS ? null : { command };
}

/** The parts that a matcher sees; file contents are not retained. */
function matchableInput(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return null;
  const entries = Object.entries(input).filter(
    ([, value]) => typeof value === "string" && value.length < MAX_MATCHED_CHARS,
  );
  return Object.fromEntries(entries);
}
