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
const noReplies: TerminalHookPorts = {
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
  server = createServer(getRequestListener(terminalHookRoutes({ ...noReplies, ...ports }).fetch));
  await new Promise<void>((resolve) => server.listen(join(folder, "sock"), resolve));
}

/** Calls a route as a hook does. */
function curl(route: string, ...args: string[]): ChildProcess & { readonly output: Promise<string> } {
  const child = spawn("curl", [
    ...["-q", "-s", "-w", " %{http_code}", "--unix-socket", join(folder, "sock")],
    ...["--data-binary", `{"session_id":"s"}`, ...args, `http://hookline/api/ask/${route}`],
  ]);
  children.push(child);
  return Object.assign(child, { output: text(child.stdout) });
}

it("answers with the output to print, or without a body", async () => {
  await serve({ guard: async (payload) => ({ got: payload }) });
  expect(await curl("guard").output).toBe(`{"got":{"session_id":"s"}} 200`);
  expect(await curl("permission").output).toBe(" 204");
  expect(await curl("react").output).toBe(" 204");
});

it("refuses a body that is not a JSON object", async () => {
  await serve({});
  expect(await curl("permission", "--data-binary", "x").output).toMatch(/body_invalid.* 400$/);
  expect(await curl("react", "--data-binary", "[]").output).toMatch(/ 400$/);
});

it("passes on the hook's headers: attended, environment file, terminal", async () => {
  const received: unknown[] = [];
  await serve({
    permission: async (_, { attended }) => {
      received.push(attended);
      return null;
    },
    react: async (_, { envFile, terminal }) => {
      received.push([envFile, terminal]);
      return null;
    },
  });
  await curl("permission", "-H", "x-hookline-attended: 1").output;
  await curl("permission", "-H", "x-hookline-attended: 0").output;
  await curl("permission").output;
  await curl("react", "-H", "x-hookline-env-file: /tmp/é 왜/env", "-H", "x-hookline-terminal: tmux").output;
  await curl("react").output;
  expect(received).toEqual([true, false, null, ["/tmp/é 왜/env", "tmux"], [null, null]]);
});

it.each(["permission", "react"] as const)("releases %s when the hook is killed", async (route) => {
  const arrived = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const hold = (_: unknown, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", () => aborted.resolve());
    arrived.resolve();
    return aborted.promise.then(() => null);
  };
  await serve({ [route]: hold });
  const request = curl(route);
  await arrived.promise;
  request.kill("SIGTERM");
  await once(request, "close");
  await aborted.promise;
  expect(await curl("guard").output).toBe(" 204");
});

it("does not abort a request that was answered", async () => {
  let wasAborted = false;
  await serve({
    permission: async (_, { signal }) => {
      signal.addEventListener("abort", () => {
        wasAborted = true;
      });
      return { ok: true };
    },
  });
  expect(await curl("permission").output).toBe(`{"ok":true} 200`);
  expect(wasAborted).toBe(false);
});
