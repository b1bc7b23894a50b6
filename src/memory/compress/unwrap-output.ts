/** A tool's output, without what Claude Code wraps around it for the model. */
export function unwrapOutput(output: string): string {
  let text = output;
  if (text.includes("tool_use_error>")) text = text.replace(/<\/?tool_use_error>/g, "");
  if (text.startsWith("<persisted-output>")) text = previewOf(text);
  if (NO_OUTPUT.test(text)) return "";
  const note = text.indexOf(SCHEMA_NOTE);
  return note < 0 ? text : text.slice(0, note).trimEnd();
}

const NO_OUTPUT =
  /^\((?:Bash|Command) completed with no output\)\s*$|^Command running in background with ID: /;
const SCHEMA_NOTE = "\n\nThis tool's input schema was not in your prompt";

/** For an output that is too long, the model sees its start. */
function previewOf(text: string): string {
  const head = /\nPreview \(first [^)\n]{1,20}\):\n/.exec(text);
  return head === null
    ? ""
    : text.slice(head.index + head[0].length).replace(/\n?\.{0,3}\n?<\/persisted-output>\s*$/, "");
}

/** The text of a subagent's report, which arrives framed and indented. */
export function unwrapReport(output: string): string {
  const frame = output.indexOf("The report follows:\n");
  const report = frame < 0 ? output : output.slice(frame + "The report follows:\n".length);
  const end = /\n(?:agentId: |<usage>)/.exec(report);
  return (end === null ? report : report.slice(0, end.index)).trim();
}
