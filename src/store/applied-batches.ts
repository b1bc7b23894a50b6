import { type HooklineEvent, isEvent } from "../event/event.ts";
import type { LogBatch, Position } from "../log/log.ts";
import type { ApplyResult } from "./facts.ts";

/** What the store has just taken. */
export interface Applied {
  readonly events: readonly HooklineEvent[];
  /** Where the log goes on after them. */
  readonly next: Position;
  readonly batch: LogBatch;
  readonly result: ApplyResult;
}

export type AppliedListener = (applied: Applied) => void | Promise<void>;

/** Those who are told of what the store has taken. */
export interface AppliedBatches {
  add(listener: AppliedListener): void;
  /** Each hears it when the one before has finished with it, so that whoever follows the log finds what they made. */
  tell(result: ApplyResult, batch: LogBatch): Promise<void>;
}

export function createAppliedBatches(): AppliedBatches {
  const listeners: AppliedListener[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    async tell(result, batch) {
      const applied: Applied = { events: eventsOf(batch), next: batch.next, batch, result };
      for (const listener of listeners) await listener(applied);
    },
  };
}

export function eventsOf(batch: LogBatch): readonly HooklineEvent[] {
  // What was just accepted is known to be events.
  return batch.events ?? batch.lines.map(parsed).filter(isEvent);
}

function parsed(line: string): unknown {
  try {
    return line === "" ? null : JSON.parse(line);
  } catch {
    return null;
  }
}
