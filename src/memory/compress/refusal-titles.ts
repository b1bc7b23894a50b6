import type { Refusal } from "./read-call.ts";

/** How the title of a call starts that never ran, or whose outcome is unknown. */
export const REFUSAL_TITLES: Readonly<Record<Refusal["by"], string>> = {
  person: "User refused: ",
  rule: "Not allowed: ",
  interruption: "Interrupted: ",
};
