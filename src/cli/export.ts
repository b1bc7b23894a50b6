import { text } from "node:stream/consumers";
import { defineCommand } from "citty";
import { z } from "zod";
import { parseResponse } from "../client/ask-daemon.ts";
import { resolveHome } from "../home.ts";
import { streamMemory } from "./ask-memory.ts";
import { toProject, toQuery } from "./memory-args.ts";
import { printStream } from "./output.ts";
import { refuseUnknownProject } from "./refuse-unknown-project.ts";

export const exportCommand = defineCommand({
  meta: { name: "export", description: "Export memory as JSON lines" },
  args: {
    project: { type: "string", description: "Only this project (path or suffix)" },
    json: { type: "boolean", description: "Accepted for consistency; output is always JSON lines" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const project = toProject(args.project);
    const bytes = await streamMemory(home, `/api/export?${toQuery({ project })}`, null, async (answer) => {
      if (answer.status === 200) return printStream(answer.body);
      return parseResponse(z.never(), { status: answer.status, body: await text(answer.body) });
    });
    if (bytes === 0) await refuseUnknownProject(home, project);
  },
});
