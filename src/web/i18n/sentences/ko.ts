import { koDoctor } from "./ko-doctor.ts";
import { koNotices } from "./ko-notices.ts";
import { koPolicy } from "./ko-policy.ts";
import { koRecipes } from "./ko-recipes.ts";
import { koSessions } from "./ko-sessions.ts";
import type { SentencePair } from "./translate.ts";

/** Every sentence of the daemon that pages show, in Korean. */
export const koSentences: readonly SentencePair[] = [
  ...koSessions,
  ...koNotices,
  ...koPolicy,
  ...koRecipes,
  ...koDoctor,
];
