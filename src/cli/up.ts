import { defineCommand } from "citty";
import { askDaemon } from "../client/ask-daemon.ts";
import { pickCredentials } from "../control/caller-credentials.ts";
import { ClaudeReport } from "../control/control-contract.ts";
import { type Home, resolveHome } from "../home.ts";
import { DaemonStatus } from "../serve/contract.ts";
import { VERSION } from "../version.ts";
import { plural } from "./amounts.ts";
import { requestLoginAddress } from "./open.ts";
import { note, print, printJson } from "./output.ts";
import { type BringUpResult, ensureDaemonRunning, startUnlessRunning } from "./start-daemon.ts";

export const upCommand = defineCommand({
  meta: { name: "up", description: "Start the daemon in the background, or upgrade it" },
  args: {
    restart: { type: "boolean", description: "Restart even if this version is running" },
    wait: {
      type: "boolean",
      description: "Wait until the running daemon is free to stop",
    },
    quiet: { type: "boolean", description: "Print nothing and don't wait (used by the hook)" },
    json: { type: "boolean", description: "Print the status as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    if (args.quiet) return startUnlessRunning(home, process.env);
    const options = { restart: args.restart ?? false, wait: args.wait ?? false };
    const result = await ensureDaemonRunning(home, process.env, options);
    const status = await askDaemon(home, DaemonStatus, "/api/status");
    if (status === null) return;
    if (args.json) printJson(status);
    else {
      print(upText(status, result));
      // A daemon of another version may not support it.
      const address = await requestLoginAddress(home, 600).catch(() => null);
      if (address !== null) print(`Open in a browser (works once, within 10 minutes): ${address}`);
      if (result.type === "ran" && (await isLoginMissing(home))) note(LOGIN_HINT);
    }
  },
});

const LOGIN_HINT =
  "The daemon has no login, so the web UI cannot start sessions. Run `hookline up --restart` to pass on the login of this terminal.";

/** Whether the daemon cannot log in, but could with this terminal's credentials. */
async function isLoginMissing(home: Home): Promise<boolean> {
  const loginOf = async (body: object): Promise<ClaudeReport["login"] | null> => {
    const options = { method: "POST", body, timeoutMs: 5_000 };
    return (
      (await askDaemon(home, ClaudeReport, "/api/control/claude", options).catch(() => null))?.login ?? null
    );
  };
  const credentials = pickCredentials(process.env);
  if (Object.keys(credentials).length === 0 || (await loginOf({})) !== "none") return false;
  return (await loginOf({ credentials })) !== "none";
}

function closedText(closed: number): string {
  return closed === 0 ? "" : ` and closed ${plural(closed, "idle driven session")}, which can be resumed`;
}

function upText(status: DaemonStatus, result: BringUpResult): string {
  const verb = result.type === "ran" ? "was up already" : "is up";
  const text = `Hookline ${status.version} ${verb}: http://127.0.0.1:${status.port} (pid ${status.pid})`;
  if (result.type === "took_over")
    return `${text}, in place of ${result.from.version} (pid ${result.from.pid}), which ended in order${closedText(result.closed)}`;
  return status.version === VERSION ? text : `${text}; this is ${VERSION}`;
}
