import type { HookReply } from "../../agents/answer-format.ts";

/** A hook that is held until it is answered. */
export interface HeldHook {
  /** The reply to the hook; null for none. */
  readonly answered: Promise<HookReply | null>;
  /** Releases the hook; only the first call counts. */
  release(reply: HookReply | null): void;
}

export interface HeldHookOptions {
  readonly timeoutMs: number;
  /** Aborted when the hook is gone. */
  readonly signal: AbortSignal;
  readonly onTimeout: () => void;
  readonly onHookEnd: () => void;
  /** Called twice a second while the hook waits. */
  readonly onPoll: () => void;
}

const POLL_MS = 500;

export function holdHook({ timeoutMs, signal, onTimeout, onHookEnd, onPoll }: HeldHookOptions): HeldHook {
  const { promise, resolve } = Promise.withResolvers<HookReply | null>();
  const timer = setTimeout(onTimeout, timeoutMs);
  const pollTimer = setInterval(onPoll, POLL_MS);
  signal.addEventListener("abort", onHookEnd, { once: true });
  return {
    answered: promise,
    release(reply) {
      clearTimeout(timer);
      clearInterval(pollTimer);
      signal.removeEventListener("abort", onHookEnd);
      resolve(reply);
    },
  };
}
