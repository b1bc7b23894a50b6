import { setTimeout } from "node:timers/promises";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { isLocked } from "../daemon-lock.ts";
import { resolveHome } from "../home.ts";
import { Health } from "../serve/contract.ts";
import { askDaemon } from "./client.ts";
import { print } from "./output.ts";

const WAIT_MS = 15_000;

export const downCommand = defineCommand({
  meta: { name: "down", description: "Stop the daemon; hooks go on writing to the spool" },
  run: async () => {
    const home = resolveHome();
    const health = await askDaemon(home, Health, "/api/health", { timeoutMs: 2_000 });
    if (health === null) {
      print("No daemon is running.");
      return;
    }
    process.kill(health.pid, "SIGTERM");
    for (const until = Date.now() + WAIT_MS; Date.now() < until; await setTimeout(20)) {
      if (isLocked(home.lockFile)) continue;
      print("Stopped.");
      return;
    }
    throw new AppError(
      "daemon_not_down",
      `the daemon (pid ${health.pid}) did not stop within ${WAIT_MS / 1000} s`,
    );
  },
});
