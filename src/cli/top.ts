import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { print, printJson } from "./output.ts";
import { noPaint, paintFor } from "./paint.ts";
import { sessionCountsText } from "./status-line.ts";
import { terminalWidth } from "./terminal-width.ts";

export const topCommand = defineCommand({
  meta: { name: "top", description: "Watch and answer all sessions on one screen" },
  args: {
    once: { type: "boolean", description: "Print one screen and exit" },
    json: { type: "boolean", description: "Print as JSON and exit" },
    "exit-when": {
      type: "string",
      description: "needs-me: exit 0 when a session needs you (with --once: exit 1 if none does)",
    },
    ascii: { type: "boolean", description: "Use ASCII characters only" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const exitWhen = args["exit-when"];
    if (exitWhen !== undefined && exitWhen !== "needs-me")
      throw new AppError("usage", `--exit-when must be needs-me, not "${exitWhen}".`);
    const untilNeeded = exitWhen !== undefined;
    const ascii = args.ascii ?? false;
    if (!args.once && !args.json && (process.stdout.isTTY || untilNeeded)) {
      if (process.stdout.isTTY && process.stdin.isTTY) {
        // Lazy: the renderer takes longer to load than most commands take to run.
        const { openTop } = await import("./top/open-top.ts");
        if (!(await openTop(home, { ascii, untilNeeded })) && untilNeeded) throw noneWaitingError();
        return;
      }
      const { waitUntilNeeded } = await import("./top/wait-until-needed.ts");
      if (!(await waitUntilNeeded(home))) throw noneWaitingError();
      return;
    }
    const now = Date.now();
    const { readTopData } = await import("./top/follow-data.ts");
    const data = await readTopData(home, now);
    const { INITIAL_VIEW, listRows } = await import("./top/top-view.ts");
    const sessions = listRows(data, INITIAL_VIEW, now);
    if (args.json) {
      const { cards, today, limits, lagMs } = data;
      const source = data.source.type;
      printJson({ source, counts: sessionCountsText(sessions, now), sessions, cards, today, limits, lagMs });
    } else if (!untilNeeded) {
      const { topFrame } = await import("./top/top-frame.ts");
      const paint = ascii ? noPaint : paintFor(process.stdout);
      const options = { width: terminalWidth(), height: null, now, paint, ascii };
      print(topFrame(data, INITIAL_VIEW, options).join("\n"));
    }
    if (untilNeeded && !sessions.some(({ needsPerson }) => needsPerson)) throw noneWaitingError();
  },
});

function noneWaitingError(): AppError {
  return new AppError("nobody_waits", "no session needs you.");
}
