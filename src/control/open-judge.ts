import type { Env } from "../home.ts";
import { tooLongToJudge, tryToDecide } from "../policy/decide.ts";
import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";
import { isTooLong } from "../policy/too-long.ts";
import { type JudgeThreadOptions, openJudgeThread } from "./judge-thread.ts";
import { localWorld } from "./local-world.ts";

/** Judges without holding up who asks: docs/decisions/0026-bounded-judging.md. */
export interface Judge {
  /** Never rejects. What has no verdict in time is too long to judge. */
  judge(policy: Policy, request: PolicyRequest): Promise<Verdict>;
  close(): Promise<void>;
}

/** About 4 ms. All but one in a thousand recorded calls need less than a tenth of it. */
const QUICK_WORK = 250_000;
/** Scanning for secrets takes 9 ms at worst. */
const QUICK_CHARACTERS = 16_000;
/** More is not scanned here, even without a thread: this much takes 20 ms, and a second where it was made to be slow. */
const MAX_CHARACTERS = 2_000_000;

/**
 * What is judged quickly is judged here, which spares a thread and a start; the rest in a thread of its own. The work
 * is counted, so where it is judged never changes the verdict, and a thread that cannot start holds up nobody.
 */
export function openJudge(env: Env = process.env, options: Partial<JudgeThreadOptions> = {}): Judge {
  const world = localWorld(env);
  const thread = openJudgeThread({ home: world.home, ...options });
  return {
    async judge(policy, request) {
      if (isTooLong(request)) return tooLongToJudge(policy, request);
      const characters = countCharacters(request.toolInput);
      const quick = characters > QUICK_CHARACTERS ? null : tryToDecide(policy, request, world, QUICK_WORK);
      const slow = quick ?? (await thread.judge(policy, request, characters));
      if (typeof slow === "object") return slow;
      const isHere = slow === "unstarted" && characters <= MAX_CHARACTERS;
      return (isHere ? tryToDecide(policy, request, world) : null) ?? tooLongToJudge(policy, request);
    },
    close: () => thread.close(),
  };
}

/** Of all texts in an input. Without recursion: the nesting is the sender's. */
function countCharacters(input: unknown): number {
  const open = [input];
  let characters = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") characters += value.length;
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        characters += key.length;
        open.push(inner);
      }
  }
  return characters;
}
