import { defineCommand } from "citty";
import { startDaemon } from "../daemon.ts";
import { resolveHome } from "../home.ts";
import { print } from "./output.ts";
import { prepareHome } from "./start-daemon.ts";

export const daemonCommand = defineCommand({
  meta: { name: "daemon", description: "Run the daemon in this process" },
  args: {
    foreground: { type: "boolean", description: "For a person: prepare everything and say what to do next" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    if (args.foreground) await prepareHome(home, process.env);
    const daemon = await startDaemon(home);
    if (args.foreground) print(welcome(home.dir, daemon.port));
    await new Promise<void>((resolve) => {
      process.once("SIGTERM", resolve);
      process.once("SIGINT", resolve);
    });
    await daemon.stop();
  },
});

function welcome(home: string, port: number | null): string {
  return [
    `Hookline is up: http://127.0.0.1:${port}/api/health  (data in ${home}; Ctrl-C stops it)`,
    "",
    "Next, in another terminal:",
    "  bin/hookline install     adds the hooks to Claude Code",
    '  claude -p "say hi"       or any session you start from now on',
    "  bin/hookline tail -f     shows what is recorded",
  ].join("\n");
}
