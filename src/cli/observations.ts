import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { ItemsAnswer } from "../serve/contract.ts";
import { askMemory } from "./ask-memory.ts";
import { itemsText } from "./item-text.ts";
import { toIds } from "./memory-args.ts";
import { note, printJson, printMemory } from "./output.ts";
import { paintFor } from "./paint.ts";
import { terminalWidth } from "./terminal-width.ts";

export const observationsCommand = defineCommand({
  meta: { name: "observations", description: "Show items in full" },
  args: {
    id: { type: "positional", required: true, variadic: true, description: "One or more item ids" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const body = { ids: toIds(args._) };
    const answer = await askMemory(resolveHome(), ItemsAnswer, "/api/observations/batch", {
      method: "POST",
      body,
    });
    if (args.json) printJson(answer);
    else if (answer.observations.length > 0) {
      const options = { width: terminalWidth(), now: Date.now(), paint: paintFor(process.stdout) };
      printMemory(itemsText(answer.observations, options));
    }
    if (answer.observations.length === 0)
      throw new AppError("item_unknown", `there is no item ${answer.missing.join(", ")}`);
    if (answer.missing.length > 0) note(`There is no item ${answer.missing.join(", ")}.`);
  },
});
