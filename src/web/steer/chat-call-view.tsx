import { type ReactNode, useId, useState } from "react";
import { textOfCall } from "../../agents/tool-call.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { CodeText } from "../components/code-text.tsx";
import { Icon } from "../components/icon.tsx";
import { useReservedHeight } from "../components/use-reserved-height.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { formatDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import type { ChatCall, ChatItem } from "./chat-items.ts";
import { InlineRequest, SettledLine } from "./inline-request.tsx";
import { ToolInput } from "./tool-input.tsx";

const MARKS = { running: "dot", ok: "check", failed: "bang", cut: "square" } as const;

/** A tool call on one line, expandable to its input and output; a pending request is always expanded. */
export function ChatCallView({
  call,
  own,
  show,
}: {
  readonly call: ChatCall;
  /** What its subagent says and does. */
  readonly own: readonly ChatItem[];
  readonly show: (item: ChatItem) => ReactNode;
}) {
  const { steer } = useStrings();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { tool, input, state, decision, asked, settled } = call;
  const isLost = settled?.outcome === "lost" && !call.isPast;
  const isWaiting = asked !== null && (settled === null || isLost);
  const isRefused = decision?.verdict === "deny";
  const isDenied = isRefused || settled?.outcome === "deny";
  const subject = textOfCall({ toolName: tool, toolInput: input }).split("\n")[0] ?? "";
  const place = useReservedHeight(isWaiting);
  return (
    <div className={`tool-call ${isDenied ? "denied" : `is-${state}`}`} {...place}>
      {isWaiting ? (
        <InlineRequest call={call} asked={asked} />
      ) : (
        <button
          type="button"
          className="tool-line"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="mark">
            <Icon name={isDenied ? "cross" : MARKS[state]} />
          </span>
          <span className="tool">{visibleText(tool)}</span>
          <code className="cut">{visibleText(subject)}</code>
          <CallState call={call} />
        </button>
      )}
      {isRefused && (
        <p className="tool-note">
          {visibleText(daemonText(decision.reason))}{" "}
          <span className="muted">{fill(steer.deniedBy, { rule: visibleText(decision.rule) })}</span>
        </p>
      )}
      {settled !== null && !isLost && <SettledLine call={call} settled={settled} />}
      <div id={id} hidden={!isOpen}>
        {isOpen && <Details call={call} />}
      </div>
      {own.length > 0 && (isOpen || state === "running" || own.some(isPending)) && (
        <div className="tool-inner">{own.map(show)}</div>
      )}
    </div>
  );
}

function isPending(item: ChatItem): boolean {
  return item.type === "call" && item.asked !== null && item.settled === null;
}

function CallState({ call }: { readonly call: ChatCall }) {
  const { steer } = useStrings();
  const { state, startedIso, endedIso, decision, settled } = call;
  if (decision?.verdict === "deny" || settled?.outcome === "deny")
    return <span className="state muted">{steer.outcome.deny}</span>;
  if (state === "running") return <Running since={startedIso} />;
  if (state === "cut") return <span className="state muted">{steer.cutOff}</span>;
  const took = endedIso === null ? 0 : Date.parse(endedIso) - Date.parse(startedIso);
  return (
    <span className="state muted">
      {state === "failed" && <span className="failed">{steer.failed} </span>}
      {took >= 1_000 && formatDuration(took)}
    </span>
  );
}

function Running({ since }: { readonly since: string }) {
  const { steer } = useStrings();
  return (
    <span className="state muted">
      {fill(steer.running, { age: formatDuration(useNow() - Date.parse(since)) })}
    </span>
  );
}

function Details({ call }: { readonly call: ChatCall }) {
  const { steer } = useStrings();
  const { tool, input, output, state, decision } = call;
  return (
    <div className="tool-details">
      <h3>{steer.input}</h3>
      <ToolInput tool={tool} input={input} />
      {state !== "running" && (
        <>
          <h3>{steer.output}</h3>
          {output === "" ? <p className="muted">{steer.noOutput}</p> : <CodeText text={output} lines={200} />}
        </>
      )}
      {decision !== null && decision.verdict !== "deny" && (
        <p className="muted hint">
          {visibleText(decision.rule)}: {visibleText(daemonText(decision.reason))}
        </p>
      )}
    </div>
  );
}
