import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePlace, mountTmpfs, type Place, runCommand, silent } from "../../test/hook/run-command.ts";
import { claude } from "../agents/claude/claude.ts";
import { guardCommand } from "./guard-command.ts";

const open = guardCommand(claude, { failClosed: false });
const closed = guardCommand(claude, { failClosed: true });
const payload = `${JSON.stringify({ hook_event_name: "PreToolUse", tool_input: { command: "왜 é\u2028" } })}\n`;
const answer = `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"%s \\\\n 왜 $HOME"}}`;
const shells = [
  { shell: ["/bin/sh"] },
  { shell: ["/bin/dash"] },
  { shell: ["/bin/bash", "--norc", "--posix"] },
  { shell: ["/bin/busybox", "sh"] },
].filter(({ shell }) => existsSync(shell[0]!)) as { shell: [string, ...string[]] }[];

let place: Place;
let stop: (() => Promise<unknown>)[];
beforeEach(() => {
  place = makePlace();
  stop = [];
  writeFileSync(join(place.home, "daemon.pid"), `${process.pid}\n`);
  writeFileSync(join(place.home, "launch"), "#!/bin/sh\n");
});
afterEach(async () => {
  await stopServing();
  place.remove();
});

const run = (command: string, options: Parameters<typeof runCommand>[1] = {}, sessionId = "s-1") =>
  runCommand(command, {
    env: { ...place.env, CLAUDE_CODE_SESSION_ID: sessionId },
    input: payload,
    ...options,
  });
const notifiedSessions = () => {
  const folder = join(place.home, "guard-told");
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** What the hook recorded about unanswered calls. */
const recorded = () =>
  readdirSync(join(place.home, "spool")).map(
    (name) => JSON.parse(readFileSync(join(place.home, "spool", name), "utf8")) as Record<string, string>,
  );

async function serve(respond: (response: ServerResponse) => void): Promise<string[]> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    requests.push(`${request.url} ${body}`);
    respond(response);
  });
  stop.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(join(place.home, "sock"), resolve));
  return requests;
}

async function stopServing(): Promise<void> {
  await Promise.all(stop.splice(0).map((stopServer) => stopServer()));
}

/** Classifies a hook's output; a hook never fails or writes to stderr. */
function outcomeOf({
  code,
  stdout,
  stderr,
}: Awaited<ReturnType<typeof run>>): "off" | "denied" | "denied, with notice" | "nothing" {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  if (stdout === "") return "nothing";
  expect(stdout).toMatch(/^\{.*\}\n$/);
  const { systemMessage, hookSpecificOutput } = JSON.parse(stdout);
  if (systemMessage !== undefined) expect(systemMessage).toContain("hookline up");
  if (hookSpecificOutput === undefined) return "off";
  expect(hookSpecificOutput).toEqual({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringContaining("hookline up"),
  });
  if (systemMessage !== undefined) return "denied, with notice";
  return "denied";
}

describe.each(shells)("in $shell", ({ shell }) => {
  it("sends the payload and prints the daemon's answer, in both forms", async () => {
    const requests = await serve((response) => response.end(answer));
    for (const command of [open, closed])
      expect(await run(command, { shell })).toMatchObject({ ...silent, stdout: `${answer}\n` });
    expect(requests).toEqual(Array(2).fill(`/api/ask/guard ${payload}`));
  });

  it("prints nothing if the daemon has no objection", async () => {
    for (const respond of [
      (response: ServerResponse) => response.writeHead(204).end(),
      (response: ServerResponse) => response.end("{}"),
    ]) {
      await serve(respond);
      for (const command of [open, closed]) expect(outcomeOf(await run(command, { shell }))).toBe("nothing");
      await stopServing();
    }
    expect([notifiedSessions(), recorded()]).toEqual([[], []]);
  });

  it("reports once per session that the guard is off while no daemon answers, or denies every call", async () => {
    rmSync(join(place.home, "daemon.pid"));
    expect(outcomeOf(await run(open, { shell }))).toBe("off");
    expect(outcomeOf(await run(open, { shell }))).toBe("nothing");
    expect(outcomeOf(await run(open, { shell }, "s-2"))).toBe("off");
    expect(notifiedSessions()).toEqual(["s-1", "s-2"]);
    expect(outcomeOf(await run(closed, { shell }, "s-3"))).toBe("denied, with notice");
    expect(statSync(join(place.home, "guard-told")).mode & 0o777).toBe(0o700);
    for (let time = 0; time < 2; time++) expect(outcomeOf(await run(closed, { shell }))).toBe("denied");
    for (const pid of ["", "0\n", "-1\n", "999999999\n", "junk; touch x\n"]) {
      writeFileSync(join(place.home, "daemon.pid"), pid);
      expect(outcomeOf(await run(closed, { shell })), pid).toBe("denied");
    }
  });

  it("records every unanswered call, including those without a notice", async () => {
    rmSync(join(place.home, "daemon.pid"));
    for (const command of [open, open, closed]) await run(command, { shell });
    expect(
      recorded()
        .map(({ phase }) => phase)
        .sort(),
    ).toEqual(["denied", "unchecked", "unchecked"]);
    expect(new Set(recorded().map(({ daemon }) => daemon))).toEqual(new Set(["down"]));
    for (const payload of recorded())
      expect(payload).toMatchObject({ hook_event_name: "HooklineGuardUnanswered", session_id: "s-1" });
    for (const name of readdirSync(join(place.home, "spool")))
      expect(statSync(join(place.home, "spool", name)).mode & 0o777).toBe(0o600);
  });

  it("omits a session id that is not a plain name", async () => {
    for (const id of ["", "../x", "a/b", "/x", "a b", "$(touch x)", "-n", "é", "a\nb", 'a"b', "a%sb"]) {
      const done = outcomeOf(await run(open, { shell }, id));
      expect(done, id).toBe(id === "-n" ? "off" : "nothing");
    }
    expect(
      recorded()
        .map((payload) => payload["session_id"])
        .sort(),
    ).toEqual([...Array(10).fill(""), "-n"]);
    expect(notifiedSessions()).toEqual(["-n"]);
    expect(readdirSync(place.home).sort()).toEqual(["daemon.pid", "guard-told", "launch", "spool"]);
    expect(outcomeOf(await run(closed, { shell }, "../x"))).toBe("denied");
  });

  it("does nothing without our folder or its launcher", async () => {
    rmSync(join(place.home, "launch"));
    for (const command of [open, closed]) expect(await run(command, { shell })).toMatchObject(silent);
    rmSync(place.home, { recursive: true });
    for (const command of [open, closed]) expect(await run(command, { shell })).toMatchObject(silent);
    writeFileSync(place.home, "");
    for (const command of [open, closed]) expect(await run(command, { shell })).toMatchObject(silent);
    const nowhere = { shell, env: { PATH: "/usr/bin:/bin" } };
    for (const command of [open, closed]) expect(await run(command, nowhere)).toMatchObject(silent);
  });

  it("prints no notice where it cannot store that it did", async () => {
    rmSync(join(place.home, "daemon.pid"));
    writeFileSync(join(place.home, "guard-told"), "");
    expect(outcomeOf(await run(open, { shell }))).toBe("nothing");
    expect(outcomeOf(await run(closed, { shell }))).toBe("denied");
  });
});

it("treats an error or a partial answer as no answer", async () => {
  const responses: ((response: ServerResponse) => void)[] = [
    ...[400, 404, 413, 500, 503].map((status) => (response: ServerResponse) => {
      response.writeHead(status).end(`{"error":{"code":"x","message":"y"}}`);
    }),
    (response) =>
      response.writeHead(200, { "content-length": "900" }).write(answer, () => response.destroy()),
    (response) => response.end("plain text"),
    (response) => response.destroy(),
  ];
  for (const [n, respond] of responses.entries()) {
    await serve(respond);
    expect(outcomeOf(await run(open, {}, `s-${n}`)), String(n)).toBe("off");
    expect(outcomeOf(await run(closed, {}, `s-${n}`)), String(n)).toBe("denied");
    await stopServing();
  }
  expect(recorded()).toHaveLength(2 * responses.length);
});

it("does not wait forever for a daemon that hangs", async () => {
  await serve(() => undefined);
  const [off, shut] = await Promise.all([run(open), run(closed, {}, "s-2")]);
  expect([outcomeOf(off), outcomeOf(shut)]).toEqual(["off", "denied, with notice"]);
  expect(Math.max(off.tookMs, shut.tookMs)).toBeLessThan(10_000);
  expect(recorded().map(({ daemon }) => daemon)).toEqual(["silent", "silent"]);
});

it("prints the notice for only one of several concurrent calls", async () => {
  rmSync(join(place.home, "daemon.pid"));
  const runs = await Promise.all(Array.from({ length: 8 }, () => run(open)));
  expect(runs.map(outcomeOf).sort()).toEqual([...Array(7).fill("nothing"), "off"]);
  const shut = await Promise.all(Array.from({ length: 8 }, () => run(closed, {}, "s-2")));
  expect(shut.map(outcomeOf).sort()).toEqual([...Array(7).fill("denied"), "denied, with notice"]);
});

it("works without a spool folder, when recording is off", async () => {
  rmSync(join(place.home, "daemon.pid"));
  rmSync(join(place.home, "spool"), { recursive: true });
  expect(outcomeOf(await run(open))).toBe("off");
  expect(outcomeOf(await run(closed))).toBe("denied");
  expect(existsSync(join(place.home, "spool"))).toBe(false);
});

it("prints no notice on a read-only disk", async ({ skip }) => {
  const folder = join(place.home, "guard-told");
  mkdirSync(folder);
  rmSync(join(place.home, "daemon.pid"));
  const unmount = mountTmpfs(folder, "ro");
  if (unmount === undefined) return skip();
  try {
    expect(outcomeOf(await run(open))).toBe("nothing");
    expect(outcomeOf(await run(closed))).toBe("denied");
  } finally {
    unmount();
  }
});

it("works in a shell with errexit set", async () => {
  rmSync(join(place.home, "daemon.pid"));
  const env = { ...place.env, CLAUDE_CODE_SESSION_ID: "s-1", SHELLOPTS: "errexit:nounset", PS1: "" };
  const shell: [string, ...string[]] = ["/bin/bash", "--norc", "--posix"];
  expect(outcomeOf(await run(open, { shell, env }))).toBe("off");
  expect(outcomeOf(await run(closed, { shell, env }))).toBe("denied");
});

it("without curl, denies in its closed form and reports that it is off in its open form", async () => {
  await serve((response) => response.end(answer));
  const bin = join(place.root, "bin");
  mkdirSync(bin);
  mkdirSync(join(place.home, "guard-told"));
  const without = (command: string) => command.replace("PATH=/bin:/usr/bin:$PATH", `PATH=${bin}`);
  expect(outcomeOf(await run(without(open)))).toBe("off");
  expect(outcomeOf(await run(without(closed)))).toBe("denied");
});
