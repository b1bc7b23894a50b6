import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a command did or tried, as the kernel saw it. */
export interface SandboxRun {
  readonly command: string;
  /** Programs it started, by name. */
  readonly started: readonly string[];
  /** Calls that write, create, remove or change a file. */
  readonly writes: readonly string[];
  /** Calls that access the network. */
  readonly connects: readonly string[];
  readonly output: string;
}

const TRACED =
  "execve,execveat,open,openat,openat2,creat,truncate,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utime,utimes,utimensat,futimesat,setxattr,lsetxattr,fsetxattr,removexattr,mount,kill,tgkill,connect,sendto,sendmsg,bind";
/** Paths that it may open for writing: nothing that persists. */
const HARMLESS = /"(?:\/dev\/(?:null|tty|pts\/\d+)|\/proc\/[^"]*)"/;
/** `git status` refreshes its index when it can. */
const GIT_INDEX = /"[^"]*\/?\.git\/(?:worktrees\/[^"/]+\/)?index(?:\.lock)?"/;
const SECONDS_EACH = 4;

/** Names the missing program and how to install it; null when a sandbox is available. */
export function missingForSandbox(): string | null {
  for (const [program, apt] of [
    ["strace", "strace"],
    ["bwrap", "bubblewrap"],
    ["git", "git"],
  ] as const)
    if (spawnSync(program, ["--version"]).error !== undefined)
      return `${program} is missing: apt-get install ${apt}`;
  const { status, stderr } = spawnSync(
    "bwrap",
    [
      "--ro-bind",
      "/",
      "/",
      "--unshare-all",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
      "strace",
      "-f",
      "-o",
      "/dev/null",
      "true",
    ],
    { encoding: "utf8" },
  );
  return status === 0 ? null : `bwrap and strace cannot be used here (namespaces, ptrace): ${stderr.trim()}`;
}

/** Runs each command without write and network access, and records what it tried. */
export function runInSandbox(
  commands: readonly string[],
  place: { home: string; base: string; cwd: string },
): readonly SandboxRun[] {
  const out = mkdtempSync(join(tmpdir(), "hookline-sandbox-"));
  try {
    mkdirSync(join(out, "log"));
    for (const [at, command] of commands.entries()) writeFileSync(join(out, `${at}.sh`), command);
    writeFileSync(join(out, "run"), DRIVER);
    const bound = [
      "--ro-bind",
      "/",
      "/",
      "--tmpfs",
      "/tmp",
      "--ro-bind",
      place.base,
      place.base,
      "--bind",
      out,
      out,
    ];
    const environment = [
      "--clearenv",
      "--setenv",
      "HOME",
      place.home,
      "--setenv",
      "PATH",
      process.env["PATH"] ?? "/usr/bin:/bin",
    ];
    const { status, stderr } = spawnSync(
      "bwrap",
      [
        ...bound,
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--unshare-all",
        "--die-with-parent",
        ...environment,
        "--chdir",
        place.cwd,
      ].concat(["bash", join(out, "run"), out, String(commands.length), TRACED, String(SECONDS_EACH)]),
      { encoding: "utf8", timeout: 300_000 },
    );
    if (status !== 0) throw new Error(`the sandbox failed: ${stderr}`);
    return commands.map((command, at) => readRun(command, join(out, "log", String(at))));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Runs two at a time; each command has no stdin and a time limit. */
const DRIVER = `out=$1 count=$2 traced=$3 seconds=$4
one() {
  strace -f -qq -s 400 -e "trace=$traced" -o "$out/log/$1" timeout -s KILL "$seconds" bash "$out/$1.sh" < /dev/null > "$out/log/$1.out" 2>&1
}
for ((at = 0; at < count; at += 2)); do
  one "$at" &
  [ $((at + 1)) -lt "$count" ] && one $((at + 1))
  wait
done
exit 0
`;

function readRun(command: string, file: string): SandboxRun {
  const output = readFileSync(`${file}.out`, "latin1");
  return { command, output, ...readTrace(readFileSync(file, "utf8")) };
}

/** Parses the lines of strace. */
export function readTrace(trace: string): Pick<SandboxRun, "started" | "writes" | "connects"> {
  const lines = trace.split("\n");
  // The first process is `timeout`, which ends a slow command.
  const timer = /^\d+/.exec(lines[0] ?? "")?.[0];
  const calls = lines
    .filter((line) => !(line.startsWith(`${timer} `) && / kill\(/.test(line)))
    // A program that ends itself by a signal, as `tail` does when its reader ends.
    .filter((line) => !/^(\d+) +(?:kill|tgkill)\(\1, /.test(line))
    .map((line) => line.replace(/^\d+ +/, ""))
    .filter((line) => line !== "" && !/^(?:<\.\.\.|---|\+\+\+)/.test(line));
  // The first two are `timeout` and the shell that reads the command.
  const started = calls
    .flatMap((line) => /^execve(?:at)?\([^"]*"([^"]+)".*= 0$/.exec(line)?.[1] ?? [])
    .slice(2);
  return {
    started: started.map((path) => path.slice(path.lastIndexOf("/") + 1)),
    writes: calls.filter(isWrite),
    connects: calls.filter(
      (line) => /^(?:connect|sendto|sendmsg|bind)\(/.test(line) && /sa_family=AF_(?:INET|PACKET)/.test(line),
    ),
  };
}

function isWrite(line: string): boolean {
  if (HARMLESS.test(line) || GIT_INDEX.test(line) || /^(?:execve|connect|sendto|sendmsg|bind)/.test(line))
    return false;
  if (!/^(?:open|openat|openat2)\(/.test(line)) return true;
  const isFolder = /O_RDWR\|?[A-Z_|]*\) = -1 EISDIR/.test(line);
  return !isFolder && /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE/.test(line);
}
