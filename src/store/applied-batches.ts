import { type HooklineEvent, isEvent } from "../event/event.ts";
import type { LogBatch, Position } from "../log/log.ts";
import type { ApplyResult } from "./facts.ts";

/** A batch the store has just applied. */
export interface AppliedBatch {
  readonly events: readonly HooklineEvent[];
  /** The log position after the batch. */
  readonly next: Position;
  readonly batch: LogBatch;
  readonly result: ApplyResult;
}

export type AppliedListener = (applied: AppliedBatch) => void | Promise<void>;

/** Listeners that are notified of each batch the store applies. */
export interface AppliedBatchListeners {
  add(listener: AppliedListener): void;
  /**
   * Notifies listeners one after the other, so that log followers find what earlier listeners wrote. A batch
   * is reported once and stays stored: a failing listener does not stop the others.
   */
  notify(result: ApplyResult, batch: LogBatch): Promise<void>;
}

export function createAppliedBatchListeners(onError: (error: unknown) => void): AppliedBatchListeners {
  const listeners: AppliedListener[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    async notify(result, batch) {
      const applied: AppliedBatch = { events: eventsOf(batch), next: batch.next, batch, result };
      for (const listener of listeners) {
        try {
          await listener(applied);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

export function eventsOf(batch: LogBatch): readonly HooklineEvent[] {
  // Events from memory were checked when they were accepted.
  return batch.events ?? batch.lines.map(parseOrNull).filter(isEvent);
}

function parseOrNull(line: string): unknown {
  try {
    return line === "" ? null : JSON.parse(line);
  } catch {
    return null;
  }
}
