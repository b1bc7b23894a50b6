import type { Config } from "../config.ts";
import { home, isDaemonAlive, marker, path } from "./command-parts.ts";

/** What the daemon is asked while the agent waits. */
export interface Asks {
  /** At every prompt: what is relevant to it. */
  readonly prompt: boolean;
  /** Before a file is read or written: what is known of it. */
  readonly file: boolean;
}

export const usualAsks: Asks = { prompt: true, file: false };
export const allAsks: Asks = { prompt: true, file: true };

/** Tools whose input names a file. */
export const fileTools = "Read|Edit|MultiEdit|Write|NotebookEdit";

export function asksOf({ memory: { inject } }: Config): Asks {
  return { prompt: inject.prompt, file: inject.file };
}

export function askKind(ask: keyof Asks): string {
  return `ask-${ask}`;
}

/**
 * Hands the payload to a living daemon and prints its answer, when that is whole, no error and says something.
 * `-q`: nobody's .curlrc. `-f`: an error of ours is JSON too.
 */
export function askCommand(ask: keyof Asks): string {
  return (
    `${marker(askKind(ask))} { ${path} H=${home}; ${isDaemonAlive} && [ -S "$H/sock" ] && ` +
    `a=$(curl -q -s -f --max-time 0.22 --noproxy '*' --unix-socket "$H/sock" --data-binary @- ` +
    `-H 'content-type: application/json' http://hookline/api/ask/${ask}) && ` +
    `case $a in '{}') ;; '{'*'}') printf '%s\\n' "$a";; esac; } 2>/dev/null; exit 0`
  );
}
