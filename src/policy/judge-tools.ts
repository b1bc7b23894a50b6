import { type Finding, gravest } from "./finding.ts";
import type { Subject } from "./subject.ts";
import { dangerByTool } from "./tool-danger.ts";
import { laterByTool } from "./tool-later.ts";
import { judgeToolProcesses } from "./tool-processes.ts";

/** What a tool would do, by its name and the words of its input, where a command that does the same is judged. */
export function judgeToolActs(subject: Subject): Finding | null {
  return gravest([judgeToolProcesses(subject), dangerByTool(subject), laterByTool(subject)]);
}
