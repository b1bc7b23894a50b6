import type { HookReply } from "../../agents/answer-format.ts";

/** A hook that is kept waiting for its answer. */
export interface HeldHook {
  /** What is said to the hook; null for nothing. */
  readonly answered: Promise<HookReply | null>;
  /** Lets the hook go; the first call counts. */
  release(reply: HookReply | null): void;
}

export interface HeldHookOptions {
  readonly forMs: number;
  /** Aborted when the hook is gone. */
  readonly signal: AbortSignal;
  readonly onTimeout: () => void;
  readonly onGone: () => void;
  /** Called twice a second while it waits. */
  readonly onLook: () => void;
}

const LOOK_MS = 500;

export function holdHook({ forMs, signal, onTimeout, onGone, onLook }: HeldHookOptions): HeldHook {
  const { promise, resolve } = Promise.withResolvers<HookReply | null>();
  const timer = setTimeout(onTimeout, forMs);
  const looking = setInterval(onLook, LOOK_MS);
  signal.addEventListener("abort", onGone, { once: true });
  return {
    answered: promise,
    release(reply) {
      clearTimeout(timer);
      clearInterval(looking);
      signal.removeEventListener("abort", onGone);
      resolve(reply);
    },
  };
}
