import { text } from "node:stream/consumers";
import { defineCommand } from "citty";
import { z } from "zod";
import { readAnswer } from "../client/ask-daemon.ts";
import { resolveHome } from "../home.ts";
import { transfer } from "./ask-memory.ts";
import { toProject, toQuery } from "./memory-args.ts";
import { printAll } from "./output.ts";

export const exportCommand = defineCommand({
  meta: { name: "export", description: "All that is remembered, a JSON object a line" },
  args: {
    project: { type: "string", description: "Only of this project: its path, or the end of it" },
    json: { type: "boolean", description: "The same: lines of JSON are all there is" },
  },
  run: ({ args }) =>
    transfer(
      resolveHome(),
      `/api/export?${toQuery({ project: toProject(args.project) })}`,
      null,
      async (answer) => {
        if (answer.status === 200) await printAll(answer.body);
        else readAnswer(z.never(), { status: answer.status, body: await text(answer.body) });
      },
    ),
});
