import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { SessionDetail } from "../serve/contract.ts";
import { askOrFail } from "./ask-or-fail.ts";
import { note, print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { readSessionRequests } from "./read-requests.ts";
import { resumeCommand } from "./resume-command.ts";
import { sessionText } from "./session-text.ts";
import { terminalWidth } from "./terminal-width.ts";

export const sessionCommand = defineCommand({
  meta: { name: "session", description: "Show a session: state, requests, turns, cost" },
  args: {
    id: {
      type: "positional",
      required: true,
      description: "Session id, or a prefix of 4 or more characters",
    },
    "resume-command": { type: "boolean", description: "Print the command that resumes it" },
    jump: { type: "boolean", description: "Jump to the terminal it runs in" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    if (args["resume-command"] && args.jump)
      throw new AppError("usage", "--resume-command and --jump contradict each other.");
    const home = resolveHome();
    const path = `/api/sessions/${encodeURIComponent(args.id)}`;
    const detail = await askOrFail(home, SessionDetail, path);
    if (args["resume-command"]) print(resumeCommand(detail.session));
    else if (args.jump) {
      const { jump } = await import("./jump.ts");
      const result = await jump(detail.session);
      if (result.type === "failed") throw new AppError("session_unreachable", result.why);
      if (result.hint !== null) note(result.hint);
    } else if (args.json) printJson(detail);
    else {
      const requests = await readSessionRequests(home, detail.session);
      const options = { width: terminalWidth(), now: Date.now(), paint: paintFor(process.stdout) };
      print(sessionText(detail, options, requests));
    }
  },
});
