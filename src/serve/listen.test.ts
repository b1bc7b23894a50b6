import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "./listen.ts";

it("leaves no answering socket behind if the port cannot be opened", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hookline-listen-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const sock = join(dir, "sock");
  const never = new Promise<never>(() => undefined);
  // Like a port that needs a privilege this process lacks: refused for another reason than being in use.
  await expect(listen(never, { version: "1", port: -1, sock, token: "t" })).rejects.toThrow(/port/);
  const answered = await new Promise<boolean>((resolve) => {
    const client = connect(sock);
    client.once("connect", () => resolve(true));
    client.once("error", () => resolve(false));
  });
  expect(answered).toBe(false);
  expect(existsSync(sock)).toBe(false);
});
