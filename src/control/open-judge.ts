import type { Env } from "../home.ts";
import { decideWithin, tooLongToJudge } from "../policy/decide.ts";
import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";
import { isTooLong } from "../policy/too-long.ts";
import { type JudgeThreadOptions, openJudgeThread } from "./judge-thread.ts";
import { localWorld } from "./local-world.ts";

/** Judges without blocking the caller: docs/decisions/0026-bounded-judging.md. */
export interface Judge {
  /** Never rejects. A request without a verdict in time counts as too long to judge. */
  judge(policy: Policy, request: PolicyRequest): Promise<Verdict>;
  close(): Promise<void>;
}

/** Takes about 4 ms. 99.9 % of recorded calls need less than a tenth of it. */
const MAX_QUICK_WORK = 250_000;
/** Scanning this much for secrets takes 9 ms at worst. */
const MAX_QUICK_CHARACTERS = 16_000;
/** Never scanned here beyond this, even without a thread: it takes 20 ms, or 1 s if crafted to be slow. */
const MAX_CHARACTERS = 2_000_000;

/**
 * Judges quick requests here, which saves starting a thread, and the rest in a separate thread. The work is
 * counted, so where it is judged never changes the verdict, and a thread that cannot start blocks no caller.
 */
export function openJudge(env: Env = process.env, options: Partial<JudgeThreadOptions> = {}): Judge {
  const world = localWorld(env);
  const thread = openJudgeThread({ home: world.home, ...options });
  return {
    async judge(policy, request) {
      if (isTooLong(request)) return tooLongToJudge(policy, request);
      const characters = countCharacters(request.toolInput);
      const quick =
        characters > MAX_QUICK_CHARACTERS ? null : decideWithin(policy, request, world, MAX_QUICK_WORK);
      const result = quick ?? (await thread.judge(policy, request, characters));
      if (typeof result === "object") return result;
      const canJudgeHere = result === "unstarted" && characters <= MAX_CHARACTERS;
      return (canJudgeHere ? decideWithin(policy, request, world) : null) ?? tooLongToJudge(policy, request);
    },
    close: () => thread.close(),
  };
}

/** Total length of all strings in an input. Not recursive: the sender controls the nesting. */
function countCharacters(input: unknown): number {
  const stack = [input];
  let characters = 0;
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === "string") characters += value.length;
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        characters += key.length;
        stack.push(inner);
      }
  }
  return characters;
}
