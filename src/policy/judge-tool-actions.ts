import { type Finding, mostSevere } from "./finding.ts";
import type { InspectedRequest } from "./inspect-request.ts";
import { judgeToolDanger } from "./tool-danger.ts";
import { judgeToolProcesses } from "./tool-processes.ts";
import { judgeToolRunsLater } from "./tool-runs-later.ts";

/** What a tool would do, by its name and the words of its input, where an equivalent command is judged. */
export function judgeToolActions(subject: InspectedRequest): Finding | null {
  return mostSevere([judgeToolProcesses(subject), judgeToolDanger(subject), judgeToolRunsLater(subject)]);
}
