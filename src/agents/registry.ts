import { createAgentTable } from "./agent-table.ts";
import { claude } from "./claude/claude.ts";
import { unknown } from "./unknown/unknown.ts";

/** The agents that this version supports. Only for composition roots, which pass on the needed parts. */
export const agents = createAgentTable([claude, unknown]);
