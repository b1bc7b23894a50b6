import { defineCommand } from "citty";
import { resolveHome } from "../home.ts";
import { ItemDetail } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import { askMemory } from "./ask-memory.ts";
import { toId } from "./memory-args.ts";
import { print, printJson } from "./output.ts";

export const pinCommand = defineCommand({
  meta: { name: "pin", description: "Pin an item" },
  args: {
    id: { type: "positional", required: true, description: "Item id" },
    off: { type: "boolean", description: "Unpin it" },
    json: { type: "boolean", description: "Print the item as JSON" },
  },
  run: async ({ args }) => {
    const body = { pinned: !args.off };
    const path = `/api/observations/${toId(args.id)}/mark`;
    const item = await askMemory(resolveHome(), ItemDetail, path, { method: "POST", body });
    if (args.json) printJson(item);
    else print(`${item.pinned ? "Pinned" : "Unpinned"}: ${oneLine(item.content.title)}`);
  },
});
