import type { SessionRows } from "../store/session-rows.ts";

type Method = keyof SessionRows;

export interface HeldCall {
  /** When it was made and has taken effect; its answer waits. */
  readonly reached: Promise<void>;
  release(): void;
  /** Answers with a failure instead. */
  fail(error: Error): void;
}

/** A store's session rows, where a test chooses when a call is answered. */
export interface HeldRows {
  readonly rows: SessionRows;
  /** Holds the answer of the next call of this method. */
  hold(method: Method): HeldCall;
  /** Names of the calls, in the order in which they were made. */
  readonly calls: Method[];
}

export function holdRows(of: () => SessionRows): HeldRows {
  const calls: Method[] = [];
  const held = new Map<Method, { reached: () => void; answer: Promise<void> }>();
  const rows = new Proxy({} as SessionRows, {
    get:
      (_target, method: Method) =>
      async (...given: unknown[]) => {
        calls.push(method);
        const result = await (of()[method] as (...given: unknown[]) => Promise<unknown>)(...given);
        const call = held.get(method);
        held.delete(method);
        call?.reached();
        await call?.answer;
        return result;
      },
  });
  return {
    rows,
    calls,
    hold(method) {
      const [reached, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held.set(method, { reached: reached.resolve, answer: answer.promise });
      return { reached: reached.promise, release: answer.resolve, fail: answer.reject };
    },
  };
}
