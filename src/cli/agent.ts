import { claude } from "../agents/claude/claude.ts";

/** The agent whose hooks commands install and inspect, and whose sessions they drive; chosen only here. */
export const agent = claude;
