import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { connect } from "node:net";

/** The listener on a port: a process that we may inspect, or one of another user. */
export type PortOwner = { readonly pid: number; readonly command: string } | { readonly pid: null };

const TIMEOUT_MS = 3_000;

/** Finds what listens on this port where 127.0.0.1 would. Null if nothing does, or if unknown. */
export async function findPortOwner(
  port: number,
  platform: NodeJS.Platform = process.platform,
): Promise<PortOwner | null> {
  return platform === "linux" ? findInProc(port) : findWithLsof(port);
}

/** For a sentence about a port in use: "nginx (pid 123)". */
export function describePortOwner(owner: PortOwner | null): string {
  if (owner === null) return "another process";
  return owner.pid === null ? "a process of another user" : `${owner.command} (pid ${owner.pid})`;
}

/** The name of a process; null if none has this pid. */
export async function readProcessName(pid: number): Promise<string | null> {
  const comm = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => null);
  const args = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  if (isDaemon(args)) return "another Hookline daemon";
  // A program may rename its main thread: Node calls it MainThread.
  if (comm !== null) return args[0]?.split("/").at(-1) || comm.trim();
  const listed = await run("ps", ["-p", String(pid), "-o", "comm="]);
  return listed.trim().split("/").at(-1) || null;
}

/** Matches ours: `node … bin/main.mjs daemon`, also through a link to it. */
function isDaemon(args: readonly string[]): boolean {
  const index = args.indexOf("daemon");
  return index > 0 && /(^|\/)(main\.mjs|hookline)$/.test(args[index - 1]!);
}

async function findInProc(port: number): Promise<PortOwner | null> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  const sockets = new Set(tables.flatMap((table) => listeningInodes(table, port)).map(socketLink));
  if (sockets.size === 0) return null;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    // The folder is unreadable for other users' processes.
    const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")));
    if (!links.some((link) => sockets.has(link))) continue;
    return { pid: Number(pid), command: (await readProcessName(Number(pid))) ?? "a process" };
  }
  return { pid: null };
}

function socketLink(inode: string): string {
  return `socket:[${inode}]`;
}

/** 127.0.0.1, every address, and both as IPv6 writes them; the kernel prints each word's bytes reversed. */
const LOCAL_ADDRESS = /^(0100007F|00000000|0{32}|0{24}01000000|0000000000000000FFFF0000(0100007F|00000000))$/;

/** The inodes of the sockets that listen on the port, from the text of `/proc/net/tcp` or `tcp6`. */
export function listeningInodes(table: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => {
      const [address = "", number] = local.split(":");
      return state === "0A" && number === hexPort && LOCAL_ADDRESS.test(address);
    })
    .map((fields) => fields[9]!);
}

/** lsof sees only our own processes; for others it is only known that something answers. */
async function findWithLsof(port: number): Promise<PortOwner | null> {
  const text = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
  const pid = /^p(\d+)$/m.exec(text)?.[1];
  const command = /^c(.+)$/m.exec(text)?.[1];
  if (pid !== undefined) return { pid: Number(pid), command: command ?? "a process" };
  return (await acceptsConnections(port)) ? { pid: null } : null;
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: TIMEOUT_MS });
    const settle = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.on("connect", settle(true)).on("error", settle(false)).on("timeout", settle(false));
  });
}

function run(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: TIMEOUT_MS, killSignal: "SIGKILL" }, (_error, stdout) => resolve(stdout));
  });
}

/** The user whose socket on the loopback interface has this port, if the kernel reports it (Linux). */
export function uidOfPort(port: number | undefined): number | null {
  if (port === undefined) return null;
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  try {
    for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1] === `0100007F${local}`) return Number(fields[7]);
    }
  } catch {
    // Not Linux.
  }
  return null;
}
