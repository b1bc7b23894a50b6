import { PERMISSION_MODES } from "../policy/request.ts";

/** The meaning of a line typed at `hookline attach`. */
export type AttachInput =
  | { readonly type: "nothing" | "quit" }
  | { readonly type: "send"; readonly text: string; readonly interrupt: boolean }
  /** A command route of the session. */
  | { readonly type: "command"; readonly name: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly type: "unknown"; readonly how: string };

const HELP = [
  "/stop         stop the turn",
  "/now TEXT     stop the turn, then send this",
  "/say TEXT     send text that starts with / or looks like an answer",
  `/mode MODE    ${PERMISSION_MODES.join(", ")}`,
  "/model MODEL  switch to this model",
  "/close        close the session",
  "/quit         leave; the session keeps running",
].join("\n");

/** Pure. Only lines that start with a slash are commands; everything else is sent to the agent. */
export function toAttachInput(line: string): AttachInput {
  const text = line.trim();
  if (text === "") return { type: "nothing" };
  const [, word, rest = ""] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
  if (word === undefined) return { type: "send", text, interrupt: false };
  const explain = (what: string): AttachInput => ({ type: "unknown", how: `/${word} ${what}` });
  switch (word) {
    case "quit":
      return { type: "quit" };
    case "stop":
    case "close":
      return { type: "command", name: word, body: {} };
    case "mode":
      if (!(PERMISSION_MODES as readonly string[]).includes(rest))
        return explain(`is one of ${PERMISSION_MODES.join(", ")}.`);
      return { type: "command", name: "mode", body: { mode: rest, who: "hookline attach" } };
    case "model":
      return rest === ""
        ? explain("needs a name.")
        : { type: "command", name: "model", body: { model: rest } };
    case "say":
    case "now":
      return rest === "" ? explain("needs text.") : { type: "send", text: rest, interrupt: word === "now" };
    default:
      return { type: "unknown", how: HELP };
  }
}
