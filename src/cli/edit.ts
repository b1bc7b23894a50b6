import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { ItemDetail, type MarkRequest } from "../serve/contract.ts";
import { askMemory } from "./ask-memory.ts";
import { itemsText } from "./item-text.ts";
import { toId } from "./memory-args.ts";
import { print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { refuseUnused } from "./read-args.ts";
import { terminalWidth } from "./terminal-width.ts";

export const editCommand = defineCommand({
  meta: { name: "edit", description: "Edit an item" },
  args: {
    id: { type: "positional", required: true, description: "Item id" },
    title: { type: "string", description: "New title (one line, up to 120 characters)" },
    text: {
      type: "string",
      mayBeEmpty: true,
      description: "New text; replaces its facts and narrative",
    },
    undo: { type: "boolean", description: "Revert all edits" },
    json: { type: "boolean", description: "Print the item as JSON" },
  },
  run: async ({ args }) => {
    const { title, text } = args;
    if (args.undo !== true && title === undefined && text === undefined)
      throw new AppError("usage", "nothing to change; use --title, --text or --undo.");
    if (args.undo === true)
      refuseUnused({ title, text }, (flag) => `--undo cannot be combined with ${flag}.`);
    const edit: MarkRequest["edit"] = args.undo
      ? null
      : { title, ...(text !== undefined && { narrative: text, facts: [] }) };
    const path = `/api/observations/${toId(args.id)}/mark`;
    const item = await askMemory(resolveHome(), ItemDetail, path, { method: "POST", body: { edit } });
    if (args.json) printJson(item);
    else
      print(itemsText([item], { width: terminalWidth(), now: Date.now(), paint: paintFor(process.stdout) }));
  },
});
