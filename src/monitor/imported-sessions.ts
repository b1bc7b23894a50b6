import { setImmediate as nextTurn } from "node:timers/promises";
import type { HooklineEvent } from "../event/event.ts";
import type { RowMaker } from "./make-rows.ts";
import type { SessionBook } from "./session-book.ts";
import type { Intake } from "./session-intake.ts";

/** Sessions that an import tells of and nobody watches: read once when it has ended. */
export interface ImportedSessions {
  /** One by one, a long session would be read whole again and again. */
  isLeftOut(event: HooklineEvent): boolean;
  leaveOut(sessionId: string): void;
  /** Whether the rows of all that were left out are saved. */
  isDone(): boolean;
  read(): Promise<void>;
  close(): void;
}

interface ImportedOptions {
  readonly book: SessionBook;
  readonly intake: Pick<Intake, "idle">;
  readonly maker: Pick<RowMaker, "make">;
  readonly isImporting: (() => boolean) | undefined;
}

export function createImported({ book, intake, maker, isImporting }: ImportedOptions): ImportedSessions {
  const left = new Set<string>();
  let reading = 0;
  let isClosed = false;

  const readOne = async (sessionId: string): Promise<void> => {
    left.delete(sessionId);
    reading++;
    try {
      if (!book.has(sessionId)) await maker.make(sessionId);
    } catch (error) {
      left.add(sessionId);
      throw error;
    } finally {
      reading--;
    }
  };

  return {
    isLeftOut: (event) =>
      event.origin === "transcript" && !book.has(event.sessionId) && isImporting?.() === true,
    leaveOut: (sessionId) => void left.add(sessionId),
    isDone: () => left.size === 0 && reading === 0,
    async read() {
      await intake.idle();
      for (const sessionId of left) {
        if (isClosed) return;
        await readOne(sessionId);
        await nextTurn();
      }
    },
    close() {
      isClosed = true;
    },
  };
}
