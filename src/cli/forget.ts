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
  meta: { name: "forget", description: "Delete recorded data permanently" },
  args: {
    id: { type: "string", description: "Item ids, comma-separated" },
    session: { type: "string", description: "Session id or prefix" },
    project: { type: "string", description: "Project path or suffix" },
    file: { type: "string", description: "Everything that touched this file (path or suffix)" },
    before: { type: "string", description: "Everything before: 30d ago, or a time" },
    after: { type: "string", description: "Everything after: 30d ago, or a time" },
    match: { type: "string", description: "Everything that contains this text" },
    "dry-run": { type: "boolean", description: "Show how much would be deleted" },
    yes: { type: "boolean", description: "Skip the confirmation" },
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
          "this deletes data permanently; preview it with --dry-run, confirm with --yes.",
        );
      const preview = await forget(true);
      if (isNothing(preview)) return print("Nothing to forget.");
      if (!(await confirm(`Permanently forget ${amountText(preview)}? [y/N] `)))
        return note("Nothing was forgotten.");
    }
    const result = await forget(args["dry-run"] ?? false);
    if (args.json) printJson(result);
    else if (isNothing(result)) print("Nothing to forget.");
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
  const criteria = Object.entries({ id, session, project, file, before, after, match });
  const empty = criteria.find(([, value]) => value?.trim() === "");
  if (empty !== undefined) throw new AppError("usage", `--${empty[0]} is empty.`);
  if (criteria.every(([, value]) => value === undefined))
    throw new AppError(
      "usage",
      "nothing selected; use --id, --session, --project, --file, --before, --after or --match.",
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
    // The events of whole sessions are not counted separately.
    facts > 0 || sessions === 0 ? plural(facts, "event") : "",
    sessions > 0 ? plural(sessions, "whole session") : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

async function confirm(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(question)).trim());
  } finally {
    prompt.close();
  }
}
