import { spawn } from "node:child_process";
import { defineCommand } from "citty";
import { askDaemon } from "../client/ask-daemon.ts";
import { type Env, type Home, resolveHome } from "../home.ts";
import { CodeAnswer, Health } from "../serve/contract.ts";
import { note, print } from "./output.ts";
import { ensureDaemonRunning } from "./start-daemon.ts";

/** How long a browser launcher may take to report a failure. */
const OPEN_TIMEOUT_MS = 3_000;
/** For an address that the user copies by hand. */
const PRINTED_LINK_SECONDS = 600;
const OPENED_LINK_SECONDS = 60;

export const openCommand = defineCommand({
  meta: { name: "open", description: "Open the web UI and log the browser in" },
  args: {
    print: { type: "boolean", description: "Print a one-time login link instead (valid for 10 minutes)" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    if ((await askDaemon(home, Health, "/api/health", { timeoutMs: 10_000 })) === null)
      await ensureDaemonRunning(home, process.env, { restart: false, wait: false });
    if (!args.print) {
      const address = await requestLoginAddress(home, OPENED_LINK_SECONDS);
      if (address !== null && (await openBrowser(address, process.platform, process.env))) {
        print(`Opened ${address.replace(/\/#.*$/, "")} in your browser.`);
        return;
      }
      note("No browser could be started. Open this link on this machine; it works once:");
    }
    print((await requestLoginAddress(home, PRINTED_LINK_SECONDS)) ?? "");
  },
});

/** The address that opens the web UI and logs a browser in; null when no daemon runs. */
export async function requestLoginAddress(home: Home, seconds: number): Promise<string | null> {
  const answer = await askDaemon(home, CodeAnswer, "/api/login/code", { method: "POST", body: { seconds } });
  return answer?.address ?? null;
}

/** Whether a browser was started, as far as can be determined. */
async function openBrowser(address: string, platform: NodeJS.Platform, env: Env): Promise<boolean> {
  const hasDisplay = platform === "darwin" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  if (!hasDisplay) return false;
  const file = platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(file, [address], { stdio: "ignore", detached: true });
  let timer: NodeJS.Timeout | undefined;
  const isOpen = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
    // A process that keeps running is the browser itself.
    timer = setTimeout(resolve, OPEN_TIMEOUT_MS, true);
  });
  clearTimeout(timer);
  child.unref();
  return isOpen;
}
