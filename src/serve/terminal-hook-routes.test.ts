import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TerminalHookPorts, terminalHookRoutes } from "./terminal-hook-routes.ts";

let folder: string;
let server: Server;
let children: ChildProcess[];
const nothing: TerminalHookPorts = {
  guard: async () => null,
  tooLarge: () => ({}),
  permission: async () => null,
  react: async () => null,
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookline-ask-"));
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function serve(ports: Partial<TerminalHookPorts>): Promise<void> {
  server = createServer(getRequestListener(terminalHookRoutes({ ...nothing, ...ports }).fetch));
  await new Promise<void>((resolve) => server.listen(join(folder, "sock"), resolve));
}

/** Calls a route as a hook does. */
function curl(route: string, ...args: string[]): ChildProcess & { readonly said: Promise<string> } {
  const child = spawn("curl", [
    ...["-q", "-s", "-w", " %{http_code}", "--unix-socket", join(folder, "sock")],
    ...["--data-binary", `{"session_id":"s"}`, ...args, `http://hookline/api/ask/${route}`],
  ]);
  children.push(child);
  return Object.assign(child, { said: text(child.stdout) });
}

it("answers with what there is to print, and without a body when there is nothing", async () => {
  await serve({ guard: async (payload) => ({ got: payload }) });
  expect(await curl("guard").said).toBe(`{"got":{"session_id":"s"}} 200`);
  expect(await curl("permission").said).toBe(" 204");
  expect(await curl("react").said).toBe(" 204");
});

it("refuses what is no JSON object", async () => {
  await serve({});
  expect(await curl("permission", "--data-binary", "x").said).toMatch(/body_invalid.* 400$/);
  expect(await curl("react", "--data-binary", "[]").said).toMatch(/ 400$/);
});

it("tells what the hook says of its session: whether somebody is there, its file", async () => {
  const heard: unknown[] = [];
  await serve({
    permission: async (_, { attended }) => {
      heard.push(attended);
      return null;
    },
    react: async (_, { envFile, terminal }) => {
      heard.push([envFile, terminal]);
      return null;
    },
  });
  await curl("permission", "-H", "x-hookline-attended: 1").said;
  await curl("permission", "-H", "x-hookline-attended: 0").said;
  await curl("permission").said;
  await curl("react", "-H", "x-hookline-env-file: /tmp/é 왜/env", "-H", "x-hookline-terminal: tmux").said;
  await curl("react").said;
  expect(heard).toEqual([true, false, null, ["/tmp/é 왜/env", "tmux"], [null, null]]);
});

it.each(["permission", "react"] as const)("lets go of %s when the hook is killed", async (route) => {
  const arrived = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const hold = (_: unknown, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", () => gone.resolve());
    arrived.resolve();
    return gone.promise.then(() => null);
  };
  await serve({ [route]: hold });
  const asking = curl(route);
  await arrived.promise;
  asking.kill("SIGTERM");
  await once(asking, "close");
  await gone.promise;
  expect(await curl("guard").said).toBe(" 204");
});

it("does not call a request aborted that was answered", async () => {
  let wasAborted = false;
  await serve({
    permission: async (_, { signal }) => {
      signal.addEventListener("abort", () => {
        wasAborted = true;
      });
      return { ok: true };
    },
  });
  expect(await curl("permission").said).toBe(`{"ok":true} 200`);
  expect(wasAborted).toBe(false);
});
