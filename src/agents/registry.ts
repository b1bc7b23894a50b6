import { createAgentTable } from "./agent-table.ts";
import { claude } from "./claude/claude.ts";
import { unknown } from "./unknown/unknown.ts";

/** The agents that this version knows. For composition roots: everything else is given the parts it needs. */
export const agents = createAgentTable([claude, unknown]);
