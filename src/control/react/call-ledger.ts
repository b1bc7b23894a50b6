import { isEditCall, kindOfCall, recordedForm } from "../../agents/tool-call.ts";
import type { ToolForm } from "../../agents/tool-table.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { commandOutcome, ranLine } from "../../memory/compress/command-outcome.ts";

/** One call that ended well, or what begins a stretch of them. */
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
  /** Of one session, in order, after a place. */
  readonly events: (query: {
    readonly after: number;
    readonly limit: number;
    readonly sessionId: string;
  }) => Promise<readonly StoredEvent[]>;
  /** Resolves when what hooks wrote so far is among them. */
  readonly level: () => Promise<void>;
}

export interface CallLedger {
  /** Calls of a session that ended well, the oldest first: of all of it, of the present turn, since the last edit. */
  calls(
    sessionId: string,
    since: "session" | "turn" | "edit",
  ): Promise<readonly Extract<LedgerEntry, { type: "call" }>[]>;
}

const PAGE = 500;
const MOST_SESSIONS = 100;
const MOST_ENTRIES = 2_000;
/** Characters of a text that a matcher looks at. */
const MOST_MATCHED = 4_000;

interface Book {
  /** The last event that was read: its place, and its id, by which it is known whether it is still there. */
  last: { readonly seq: number; readonly id: string } | null;
  readonly entries: LedgerEntry[];
}

/** What ran in sessions that a rule asks about. Read from the database, each event once until that is made anew. */
export function createCallLedger({ events, level }: LedgerOptions): CallLedger {
  const books = new Map<string, Book>();

  const read = async (sessionId: string): Promise<readonly LedgerEntry[]> => {
    const book = await openBook(sessionId);
    for (;;) {
      const page = await events({ after: book.last?.seq ?? 0, limit: PAGE, sessionId });
      for (const { event } of page) {
        const entry = toEntry(event);
        if (entry !== null) book.entries.push(entry);
      }
      const last = page.at(-1);
      if (last !== undefined) book.last = { seq: last.seq, id: last.event.id };
      if (book.entries.length > MOST_ENTRIES) book.entries.splice(0, book.entries.length - MOST_ENTRIES);
      if (page.length < PAGE) return book.entries;
    }
  };

  const openBook = async (sessionId: string): Promise<Book> => {
    const known = books.get(sessionId);
    const isStill = known !== undefined && (await isThere(known, sessionId));
    const book: Book = isStill ? known : { last: null, entries: [] };
    books.delete(sessionId);
    books.set(sessionId, book);
    if (books.size > MOST_SESSIONS) books.delete(books.keys().next().value!);
    return book;
  };

  /** After a rebuild another event may have that place. */
  const isThere = async ({ last }: Book, sessionId: string): Promise<boolean> =>
    last === null || (await events({ after: last.seq - 1, limit: 1, sessionId }))[0]?.event.id === last.id;

  /** One at a time: two who read the same book would write the same page into it twice. */
  let reading: Promise<unknown> = Promise.resolve();
  const readInTurn = (sessionId: string): Promise<readonly LedgerEntry[]> => {
    const next = reading.then(async () => [...(await read(sessionId))]);
    reading = next.catch(() => undefined);
    return next;
  };

  return {
    async calls(sessionId, since) {
      await level();
      const entries = await readInTurn(sessionId);
      const from = entries.findLastIndex((entry) => begins(entry, since));
      return entries.slice(from + 1).filter((entry) => entry.type === "call");
    },
  };
}

function begins(entry: LedgerEntry, since: "session" | "turn" | "edit"): boolean {
  if (since === "turn") return entry.type === "prompt";
  return since === "edit" && entry.type === "call" && entry.isEdit;
}

function toEntry(event: HooklineEvent): LedgerEntry | null {
  const { eventType, payload } = event;
  if (eventType === "turn.start" && event["machine"] !== true) return { type: "prompt" };
  const toolName = payload?.toolName;
  if (eventType !== "tool_observation" || payload?.success !== true || toolName == null) return null;
  const toolInput = kindOfCall(payload) === "shell" ? endedWell(payload) : matched(payload.toolInput);
  if (toolInput === null) return null;
  return { type: "call", toolName, ...recordedForm(payload), toolInput, isEdit: isEditCall(payload) };
}

/** Of a shell line only the commands that are known to have ended well: the others did not run, for a matcher. */
function endedWell(payload: unknown): { readonly command: string } | null {
  const { ended } = commandOutcome(ranLine(payload));
  const command = ended.join("\n");
  return command === "" || command.length >= MOST_MATCHED ? null : { command };
}

/** What a matcher looks at; the texts of files are not kept. */
function matched(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return null;
  const kept = Object.entries(input).filter(
    ([, value]) => typeof value === "string" && value.length < MOST_MATCHED,
  );
  return Object.fromEntries(kept);
}
