import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { ItemType, Timeline } from "../serve/contract.ts";
import { askMemory } from "./ask-memory.ts";
import { toCountParam, toOneOf, toProject, toQuery } from "./memory-args.ts";
import { printJson, printMemory } from "./output.ts";
import { paintFor } from "./paint.ts";
import { terminalWidth } from "./terminal-width.ts";
import { timelineText } from "./timeline-text.ts";

export const timelineCommand = defineCommand({
  meta: { name: "timeline", description: "Show what happened before and after an item" },
  args: {
    anchor: {
      type: "positional",
      required: true,
      variadic: true,
      description: "Item id, or words to search for",
    },
    before: { type: "string", description: "Items before it (default 10)" },
    after: { type: "string", description: "Items after it (default 10)" },
    "whole-project": { type: "boolean", description: "Include other sessions of the project" },
    type: { type: "string", description: `Only these types around it: ${ItemType.options.join(", ")}` },
    project: { type: "string", description: "With words: search only this project" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const words = args._.join(" ").trim();
    if (words === "") throw new AppError("usage", "missing item: give an id or words to search for.");
    const query = toQuery({
      ...(/^\d+$/.test(words) ? { anchor: words } : { query: words, project: toProject(args.project) }),
      depth_before: toCountParam("before", args.before, { min: 0, max: 100 }),
      depth_after: toCountParam("after", args.after, { min: 0, max: 100 }),
      within: args["whole-project"] ? "project" : undefined,
      type: toOneOf("type", args.type, ItemType.options),
    });
    const timeline = await askMemory(resolveHome(), Timeline, `/api/timeline?${query}`);
    if (args.json) printJson(timeline);
    else
      printMemory(
        timelineText(timeline, { width: terminalWidth(), now: Date.now(), paint: paintFor(process.stdout) }),
      );
  },
});
