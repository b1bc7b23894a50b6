import { claude } from "../agents/claude/claude.ts";

/** The agent whose hooks commands install and look at, and whose sessions they drive. The one place that chooses it. */
export const agent = claude;
