import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makePlace, type Place, runCommand, silent } from "../../test/hook/run-command.ts";
import { claude } from "../agents/claude/claude.ts";
import { askCommand, permissionCommand, reactCommand } from "./ask-command.ts";
import { pluginHookEntries } from "./commands.ts";

const askPrompt = askCommand("prompt");
const payload = `${JSON.stringify({ hook_event_name: "UserPromptSubmit", prompt: "왜 é\u2028 실패?" })}\n`;
const answer = `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"%s \\\\n 왜 $HOME"}}`;
const shells = [
  { shell: ["/bin/sh"] },
  { shell: ["/bin/dash"] },
  { shell: ["/bin/bash", "--norc", "--posix"] },
  { shell: ["/bin/busybox", "sh"] },
].filter(({ shell }) => existsSync(shell[0]!)) as { shell: [string, ...string[]] }[];

let place: Place;
let servers: Server[];
/** The headers that the latest server received. */
let headers: IncomingMessage["headers"][] = [];
beforeEach(() => {
  place = makePlace();
  servers = [];
  writeFileSync(join(place.home, "daemon.pid"), `${process.pid}\n`);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  place.remove();
});

const ask = (options: Parameters<typeof runCommand>[1] = {}, command = askPrompt) =>
  runCommand(command, { env: place.env, input: payload, ...options });

async function listen(server: Server): Promise<void> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(join(place.home, "sock"), resolve));
}

/** Returns the requests it received. */
async function serve(respond: (response: ServerResponse) => void = (response) => response.end(answer)) {
  const requests: { path: string | undefined; type: string | undefined; body: string }[] = [];
  headers = [];
  await listen(
    createHttpServer(async (request: IncomingMessage, response) => {
      let body = "";
      for await (const part of request.setEncoding("utf8")) body += part;
      headers.push(request.headers);
      requests.push({ path: request.url, type: request.headers["content-type"], body });
      respond(response);
    }),
  );
  return requests;
}

/** Answers with these bytes, then closes the connection. */
async function serveBytes(bytes: string): Promise<void> {
  await listen(
    createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(bytes));
    }),
  );
}

describe.each(shells)("in $shell", ({ shell }) => {
  it("sends the payload byte for byte and prints the answer", async () => {
    const requests = await serve();
    expect(await ask({ shell })).toMatchObject({ ...silent, stdout: `${answer}\n` });
    expect(requests).toEqual([{ path: "/api/ask/prompt", type: "application/json", body: payload }]);
  });

  it("prints nothing without a daemon, its socket or its pid", async () => {
    expect(await ask({ shell })).toMatchObject(silent);
    const requests = await serve();
    for (const pid of ["", "0\n", "-1\n", "999999999\n", "junk; touch x\n", `${deadPid()}\n`]) {
      writeFileSync(join(place.home, "daemon.pid"), pid);
      expect(await ask({ shell }), pid).toMatchObject(silent);
    }
    rmSync(join(place.home, "daemon.pid"));
    expect(await ask({ shell })).toMatchObject(silent);
    expect(requests).toEqual([]);
  });

  it("prints nothing if the answer is incomplete, empty or not an object", async () => {
    for (const body of ["", "{}", "{}\n", "{", '{"a":1', "plain text", "[]", '"}"', "null"]) {
      await serve((response) => response.end(body));
      expect(await ask({ shell }), body).toMatchObject(silent);
      await stopServing();
    }
  });
});

it("sends a file request to its own route", async () => {
  const requests = await serve();
  await ask({}, askCommand("file"));
  expect(requests.map(({ path }) => path)).toEqual(["/api/ask/file"]);
});

describe.each(shells)("with extra headers, in $shell", ({ shell }) => {
  it("sends only digits in the header that says whether a session is attended", async () => {
    const requests = await serve();
    const command = permissionCommand(claude, 2);
    const env = { ...place.env, CLAUDE_CODE_SESSION_ATTENDED: "1" };
    expect(await ask({ shell, env }, command)).toMatchObject({ ...silent, stdout: `${answer}\n` });
    expect(await ask({ shell }, command)).toMatchObject({ ...silent, stdout: `${answer}\n` });
    const odd = { CLAUDE_CODE_SESSION_ATTENDED: "0\r\nx-evil: 1" };
    await ask({ shell, env: { ...place.env, ...odd } }, command);
    expect(requests.map(({ path }) => path)).toEqual(Array(3).fill("/api/ask/permission"));
    expect(headers.map((sent) => [sent["x-hookline-attended"], sent["x-evil"]])).toEqual([
      ["1", undefined],
      [undefined, undefined],
      ["0", undefined],
    ]);
  });

  it("sends the path of the session's environment file if there is one", async () => {
    const requests = await serve();
    const command = reactCommand(claude, "SessionStart", 2);
    const file = "/tmp/a 'b\" $HOME é/env.sh";
    for (const CLAUDE_ENV_FILE of [file, "", "a\nx-evil: 1"])
      await ask(
        { shell, env: { ...place.env, CLAUDE_ENV_FILE, TERM_PROGRAM: "hookline\nx-evil: 1" } },
        command,
      );
    await ask({ shell, env: { ...place.env, CLAUDE_ENV_FILE: file } }, reactCommand(claude, "Stop", 2));
    expect(requests.map(({ path }) => path)).toEqual(Array(4).fill("/api/ask/react"));
    expect(headers.map((sent) => sent["x-hookline-env-file"])).toEqual([
      Buffer.from(file).toString("latin1"),
      undefined,
      undefined,
      undefined,
    ]);
    expect(headers.some((sent) => "x-evil" in sent)).toBe(false);
    expect(headers.map((sent) => sent["x-hookline-terminal"])).toEqual([
      ...Array(3).fill("hookline"),
      undefined,
    ]);
  });
});

it("waits for up to the configured time", async () => {
  await serve((response) => void setTimeout(() => response.end(answer), 500).unref());
  expect(await ask({}, permissionCommand(claude, 5))).toMatchObject({ ...silent, stdout: `${answer}\n` });
});

it("closes its connection when the agent kills it", async () => {
  let closed = false;
  const arrived = Promise.withResolvers<void>();
  await serve((response) => {
    response.on("close", () => {
      closed = true;
    });
    arrived.resolve();
  });
  const child = spawn("/bin/sh", ["-c", permissionCommand(claude, 30)], {
    env: place.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  child.stdin.end(payload);
  await arrived.promise;
  process.kill(-child.pid!, "SIGTERM");
  await once(child, "close");
  await vi.waitFor(() => expect(closed).toBe(true), 5_000);
  expect(output).toBe("");
});

it("does not wait for a slow daemon, even one that has started to answer", async () => {
  await serve((response) => void setTimeout(() => response.end(answer), 3_000).unref());
  const slow = await ask();
  expect(slow).toMatchObject(silent);
  expect(slow.tookMs).toBeLessThan(3_000);
  await stopServing();
  await serve((response) => response.write(answer));
  const partial = await ask();
  expect(partial).toMatchObject(silent);
  expect(partial.tookMs).toBeLessThan(3_000);
});

it("prints nothing if the daemon dies while answering, or does not speak HTTP", async () => {
  const length = Buffer.byteLength(answer);
  for (const bytes of [
    `HTTP/1.1 200 OK\r\ncontent-length: ${length + 1}\r\n\r\n${answer}`,
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${length.toString(16)}\r\n${answer}\r\n`,
    `HTTP/1.1 200 OK\r\n\r\n${answer.slice(0, 30)}`,
    "HTTP/1.1 200 OK\r\n",
    "hello\r\n\r\n",
    "",
  ]) {
    await serveBytes(bytes);
    expect(await ask(), bytes).toMatchObject(silent);
    await stopServing();
  }
});

it("prints nothing for an error response", async () => {
  for (const status of [400, 401, 404, 413, 500, 503]) {
    await serve((response) => response.writeHead(status).end(`{"error":{"code":"x","message":"y"}}`));
    expect(await ask()).toMatchObject(silent);
    await stopServing();
  }
});

it("prints nothing without curl, or with a stale file in place of the socket", async () => {
  const requests = await serve();
  const bin = join(place.root, "bin");
  mkdirSync(bin);
  symlinkSync("/bin/cat", join(bin, "cat"));
  expect(await ask({}, askPrompt.replace("PATH=/bin:/usr/bin:$PATH", `PATH=${bin}`))).toMatchObject(silent);
  expect(requests).toEqual([]);
  await stopServing();
  writeFileSync(join(place.home, "sock"), "");
  expect(await ask()).toMatchObject(silent);
});

it("ignores .curlrc and proxies", async () => {
  await serve();
  writeFileSync(join(place.root, ".curlrc"), "include\nverbose\noutput = /dev/null\n");
  const proxies = { http_proxy: "http://127.0.0.1:9", ALL_PROXY: "socks5h://127.0.0.1:9" };
  const run = await ask({ env: { ...place.env, ...proxies } });
  expect(run).toMatchObject({ ...silent, stdout: `${answer}\n` });
});

it("sends more than a megabyte, and prints an answer larger than a pipe's buffer", async () => {
  const large = `{"text":"${"x".repeat(200_000)}"}`;
  const requests = await serve((response) => response.end(large));
  const input = `{"prompt":"${"é".repeat(1_000_000)}"}\n`;
  // Its own limit protects the agent; a busy machine may need longer for so much data.
  const patient = askPrompt.replace(/--max-time [\d.]+/, "--max-time 30");
  expect(patient).not.toBe(askPrompt);
  expect(await ask({ input }, patient)).toMatchObject({ ...silent, stdout: `${large}\n` });
  expect(requests[0]!.body).toBe(input);
});

it("does nothing as a plugin hook if the settings contain our hooks", async () => {
  const command = pluginHookEntries(claude, claude.installer.plugin!)["UserPromptSubmit"]![1]!.hooks[0]!
    .command;
  await serve();
  expect(await ask({}, command)).toMatchObject({ ...silent, stdout: `${answer}\n` });
  mkdirSync(join(place.root, ".claude"));
  writeFileSync(join(place.root, ".claude/settings.json"), `{"command": ": hookline record 1;"}`);
  expect(await ask({}, command)).toMatchObject(silent);
});

async function stopServing(): Promise<void> {
  const stopped = servers.splice(0).map((server) => {
    if ("closeAllConnections" in server)
      (server as ReturnType<typeof createHttpServer>).closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await Promise.all(stopped);
}

/** The pid of a process that has exited. */
function deadPid(): number {
  return spawnSync("/bin/true").pid;
}
