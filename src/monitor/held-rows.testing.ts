import type { SessionRows } from "../store/session-rows.ts";

type Method = keyof SessionRows;

export interface HeldCall {
  /** Resolves once the call has taken effect; its result is still held. */
  readonly reached: Promise<void>;
  release(): void;
  /** Rejects the held call instead. */
  fail(error: Error): void;
}

/** A store's session rows where a test decides when a call resolves. */
export interface HeldRows {
  readonly rows: SessionRows;
  /** Holds the result of the next call of this method. */
  hold(method: Method): HeldCall;
  /** Names of the calls, in call order. */
  readonly calls: Method[];
}

export function holdRows(source: () => SessionRows): HeldRows {
  const calls: Method[] = [];
  const held = new Map<Method, { reached: () => void; answer: Promise<void> }>();
  const rows = new Proxy({} as SessionRows, {
    get:
      (_target, method: Method) =>
      async (...args: unknown[]) => {
        calls.push(method);
        const result = await (source()[method] as (...args: unknown[]) => Promise<unknown>)(...args);
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
