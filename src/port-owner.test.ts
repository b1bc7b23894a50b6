import { createServer } from "node:net";
import { expect, it } from "vitest";
import { describePortOwner, findPortOwner, listeningInodes, readProcessName } from "./port-owner.ts";

async function listenOn(host: string): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { port: (server.address() as { port: number }).port, close: () => server.close() };
}

const platforms = process.platform === "linux" ? (["linux", "darwin"] as const) : (["darwin"] as const);

it.each(platforms)(
  "finds the process that listens on a port on %s, and none once it is closed",
  async (platform) => {
    const { port, close } = await listenOn("127.0.0.1");
    const owner = await findPortOwner(port, platform);
    // Without lsof it is only known that something answers.
    if (platform !== process.platform && owner?.pid === null) return close();
    expect(owner).toEqual({ pid: process.pid, command: expect.stringMatching(/\S/) });
    expect(describePortOwner(owner)).toMatch(new RegExp(`^.+ \\(pid ${process.pid}\\)$`));
    close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await findPortOwner(port, platform)).toBeNull();
  },
);

it("includes a process that listens on every address", async () => {
  const { port, close } = await listenOn("0.0.0.0");
  expect(await findPortOwner(port)).toMatchObject({ pid: process.pid });
  close();
});

it("describes a process of another user, and an unknown one", () => {
  expect(describePortOwner({ pid: null })).toBe("a process of another user");
  expect(describePortOwner(null)).toBe("another process");
});

it("reads a process name, and null if there is none", async () => {
  expect(await readProcessName(process.pid)).toMatch(/node|vitest/);
  expect(await readProcessName(2 ** 22 + 1)).toBeNull();
});

it("listeningInodes returns listening sockets on local addresses of the port", () => {
  const row = (local: string, state: string, inode: number) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 100 0 0 10 0`;
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    row("0100007F:9391", "0A", 1),
    row("00000000:9391", "0A", 2),
    row("00000000000000000000000001000000:9391", "0A", 3),
    row("0000000000000000FFFF00000100007F:9391", "0A", 4),
    row("0100007F:9391", "01", 5),
    row("0100007F:9392", "0A", 6),
    row("0500A8C0:9391", "0A", 7),
  ].join("\n");
  expect(listeningInodes(table, 37_777)).toEqual(["1", "2", "3", "4"]);
});
