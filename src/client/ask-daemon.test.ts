import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { resolveHome } from "../home.ts";
import { askDaemon } from "./ask-daemon.ts";

it("reports daemon_gone when the daemon exits during a request", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hookline-client-"));
  const sock = join(dir, "sock");
  const server = createServer((socket) => socket.once("data", () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(sock, resolve));
  try {
    await expect(
      askDaemon(resolveHome({ HOOKLINE_HOME: dir }), z.unknown(), "/api/health"),
    ).rejects.toMatchObject({
      code: "daemon_gone",
    });
  } finally {
    server.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
