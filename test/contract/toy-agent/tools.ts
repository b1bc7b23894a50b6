import { createToolTable } from "../../../src/agents/tool-table.ts";

export const tools = createToolTable({ shell: "sh", write: "save" }, () => "other");
