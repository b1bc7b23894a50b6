import { shortModelName } from "../../agents/model-name.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import type { Strings } from "../i18n/en.ts";
import { formatDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import type { NoticeEnvelope } from "./entry.ts";

/** A notice in the conversation, prominent if it is a problem. */
export function NoticeLine({ envelope }: { readonly envelope: NoticeEnvelope }) {
  const strings = useStrings();
  const isProblem = envelope.type === "error" || envelope.type === "retry";
  return (
    <div className={`notice ${isProblem ? "error-text" : "muted"}`}>
      {linesOf(envelope, strings).map((line) => (
        <p key={line}>{visibleText(line)}</p>
      ))}
    </div>
  );
}

function linesOf(envelope: NoticeEnvelope, { steer }: Strings): string[] {
  const modes: Readonly<Record<string, string>> = steer.modes;
  switch (envelope.type) {
    case "init": {
      const { version, model, tools, mcp } = envelope;
      const line = fill(steer.initLine, {
        version: version ?? "",
        model: shortModelName(model ?? ""),
        n: tools.length,
      });
      const broken = mcp.filter(({ status }) => status === "failed");
      return [
        line,
        ...broken.map(({ name, error }) =>
          error === null ? fill(steer.mcpDown, { name }) : fill(steer.mcpFailed, { name, why: error }),
        ),
      ];
    }
    case "state":
      if (envelope.state === "queued") return [steer.queuedLine];
      return [
        envelope.why === null ? steer.closed : fill(steer.closedBecause, { why: daemonText(envelope.why) }),
      ];
    case "retry": {
      const { error, status, attempt, max, delayMs } = envelope;
      const subject = error ?? (status === null ? steer.noAnswer : String(status));
      return [fill(steer.retry, { what: subject, n: attempt, max, age: formatDuration(delayMs) })];
    }
    case "mode":
      return [fill(steer.modeLine, { mode: modes[envelope.mode] ?? envelope.mode, who: envelope.by })];
    case "model":
      return [fill(steer.modelLine, { model: shortModelName(envelope.model) })];
    case "rule":
      return [fill(steer.ruleLine, { rule: envelope.rule })];
    case "task": {
      const subject = envelope.description ?? envelope.taskId;
      return [fill(envelope.what === "started" ? steer.taskStarted : steer.taskEnded, { what: subject })];
    }
    case "rewind":
      return [fill(steer.rewound, { n: envelope.files.length })];
    case "error":
      return [`${daemonText(envelope.message)} (${envelope.code})`];
  }
}
