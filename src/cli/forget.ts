import { createInterface } from "node:readline/promises";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { type ForgetRequest, ForgetResult } from "../serve/contract.ts";
import { toSinceIso } from "../shown/duration.ts";
import { plural } from "./amounts.ts";
import { askMemory } from "./ask-memory.ts";
import { toIds, toProject } from "./memory-args.ts";
import { note, print, printJson } from "./output.ts";
import { refuseUnknownProject } from "./refuse-unknown-project.ts";

export const forgetCommand = defineCommand({
  meta: { name: "forget", description: "Remove what was recorded, everywhere and for good" },
  args: {
    id: { type: "string", description: "These items (with commas)" },
    session: { type: "string", description: "This session: its id, or the beginning of it" },
    project: { type: "string", description: "This project: its path, or the end of it" },
    file: { type: "string", description: "What touched this file: its path, or the end of it" },
    before: { type: "string", description: "What happened before: 30d, or a time" },
    after: { type: "string", description: "What happened after" },
    match: { type: "string", description: "What contains this text" },
    "dry-run": { type: "boolean", description: "Only say how much it would be" },
    yes: { type: "boolean", description: "Do not ask" },
    json: { type: "boolean", description: "Print the result as JSON" },
  },
  run: async ({ args }) => {
    const request = toForgetRequest(args, Date.now());
    const home = resolveHome();
    const forget = async (dryRun: boolean): Promise<ForgetResult> => {
      const body = { ...request, dryRun };
      const result = await askMemory(home, ForgetResult, "/api/forget", { method: "POST", body });
      if (isNothing(result)) await refuseUnknownProject(home, request.project);
      return result;
    };
    if (!args["dry-run"] && !args.yes) {
      if (!process.stdin.isTTY || args.json)
        throw new AppError(
          "usage",
          "what is forgotten does not come back: --dry-run shows how much, --yes does it.",
        );
      const meant = await forget(true);
      if (isNothing(meant)) return print("There is nothing to forget.");
      if (!(await confirm(`Forget ${amountText(meant)}, for good? [y/N] `)))
        return note("Nothing was forgotten.");
    }
    const result = await forget(args["dry-run"] ?? false);
    if (args.json) printJson(result);
    else if (isNothing(result)) print("There is nothing to forget.");
    else print(`${result.dryRun ? "Would forget" : "Forgot"} ${amountText(result)}.`);
  },
});

interface Criteria {
  readonly id?: string;
  readonly session?: string;
  readonly project?: string;
  readonly file?: string;
  readonly before?: string;
  readonly after?: string;
  readonly match?: string;
}

/** Multiple criteria are combined with AND. An empty one must not count as absent. */
export function toForgetRequest(args: Criteria, now: number): ForgetRequest {
  const { id, session, project, file, before, after, match } = args;
  const given = Object.entries({ id, session, project, file, before, after, match });
  const empty = given.find(([, value]) => value?.trim() === "");
  if (empty !== undefined) throw new AppError("usage", `--${empty[0]} is empty.`);
  if (given.every(([, value]) => value === undefined))
    throw new AppError(
      "usage",
      "forget what? --id, --session, --project, --file, --before, --after or --match.",
    );
  return {
    ...(id !== undefined && { ids: toIds([id]) }),
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project: toProject(project)! }),
    ...(file !== undefined && { file: file.replace(/^(\.\/)+/, "") }),
    ...(before !== undefined && { beforeIso: toSinceIso(before, now) }),
    ...(after !== undefined && { afterIso: toSinceIso(after, now) }),
    ...(match !== undefined && { match }),
  };
}

function isNothing({ facts, sessions, items }: ForgetResult): boolean {
  return facts + sessions + items === 0;
}

function amountText({ facts, sessions, items }: ForgetResult): string {
  const parts = [
    plural(items, "item"),
    // The events of whole sessions are removed with them.
    facts > 0 || sessions === 0 ? plural(facts, "event") : "",
    sessions > 0 ? plural(sessions, "whole session") : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

async function confirm(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(question)).trim());
  } finally {
    asking.close();
  }
}
