import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { DrivenList } from "../control/control-contract.ts";
import { type Home, resolveHome } from "../home.ts";
import { oneLine } from "../shown/plain-text.ts";
import { abortOnSignals } from "./abort-on-signals.ts";
import { toAttachInput } from "./attach-input.ts";
import { askControl, findDrivenSessionId, sendSessionCommand } from "./control-client.ts";
import { converse } from "./converse.ts";
import type { AttachMessage } from "./follow-session.ts";
import { note } from "./output.ts";
import { shortId } from "./session-activity.ts";

const CLIENT_NAME = "hookline attach";

export const attachCommand = defineCommand({
  meta: { name: "attach", description: "Follow a driven session, send messages, answer requests" },
  args: {
    id: { type: "positional", required: false, description: "Session id or prefix" },
    json: { type: "boolean", description: "Print each envelope as one line of JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const sessionId =
      args.id === undefined ? await findOnlyOpenSession(home) : await findDrivenSessionId(home, args.id);
    const end = abortOnSignals();
    const isInteractive = process.stdin.isTTY;
    if (isInteractive && !args.json)
      note(`${shortId(sessionId)}: type a message, /help for commands, Ctrl-C to leave.`);
    await converse({
      home,
      sessionId,
      who: CLIENT_NAME,
      json: args.json ?? false,
      signal: end.signal,
      onLine: (line) => handleLine(home, sessionId, line, () => end.abort()),
      // With piped input, keep showing the output after stdin ends.
      onEnd: () => isInteractive && end.abort(),
      isOver: createCloseDetector(),
    });
  },
});

async function handleLine(home: Home, sessionId: string, line: string, quit: () => void): Promise<void> {
  const input = toAttachInput(line);
  switch (input.type) {
    case "nothing":
      return;
    case "unknown":
      return note(input.how);
    case "quit":
      return quit();
    case "send":
      await sendSessionCommand(home, sessionId, "send", {
        text: input.text,
        interrupt: input.interrupt,
        who: CLIENT_NAME,
      });
      return;
    case "command":
      await sendSessionCommand(home, sessionId, input.name, input.body);
      return;
    default:
      return input satisfies never;
  }
}

/** True once a closed session has been shown completely. */
function createCloseDetector(): (message: AttachMessage) => boolean {
  let closedAt: number | null = null;
  let seq = 0;
  return (message) => {
    if (message.type === "snapshot")
      closedAt = message.session.state === "closed" ? message.session.seq : null;
    else if (message.type === "envelope") {
      const { envelope, isReplay } = message;
      seq = Math.max(seq, envelope.seq);
      if (envelope.type === "state" && !isReplay)
        closedAt = envelope.state === "closed" ? envelope.seq : null;
    }
    return closedAt !== null && seq >= closedAt;
  };
}

async function findOnlyOpenSession(home: Home): Promise<string> {
  const { sessions } = await askControl(home, DrivenList, "/sessions");
  const open = sessions.filter(({ state }) => state !== "closed");
  if (open.length === 1) return open[0]!.sessionId;
  if (open.length === 0)
    throw new AppError("usage", "no driven session is open; start one with `hookline run`.");
  const lines = open.map(({ sessionId, state, cwd }) => `${oneLine(sessionId)}  ${state}  ${oneLine(cwd)}`);
  throw new AppError("usage", `choose a session:\n${lines.join("\n")}`);
}
