import type { Acceptor } from "../capture/accept.ts";
import type { HooklineEvent } from "../event/event.ts";

export interface OwnWriterOptions {
  readonly acceptor: Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly follow: () => Promise<unknown>;
}

/** Writes what we ourselves know and nobody else tells. */
export interface OwnWriter {
  /** Returns when it is in the log. */
  write(events: readonly HooklineEvent[]): Promise<void>;
  /** Returns when it is in the database, too. */
  note(events: readonly HooklineEvent[]): Promise<void>;
}

export function openOwnWriter({ acceptor, append, follow }: OwnWriterOptions): OwnWriter {
  const write = async (events: readonly HooklineEvent[]): Promise<void> => {
    await acceptor.prepare(events, () => {
      const accepted = acceptor.accept(events);
      acceptor.rest();
      return append(accepted);
    });
  };
  return {
    write,
    async note(events) {
      await write(events);
      await follow();
    },
  };
}
