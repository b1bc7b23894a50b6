import { memo } from "react";
import { microsText } from "../../shown/cost-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { Icon } from "../components/icon.tsx";
import { formatDuration, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Markdown } from "../session/markdown.tsx";
import { ChatCallView } from "./chat-call-view.tsx";
import type { ChatItem } from "./chat-items.ts";
import type { ItemChildren } from "./nest-items.ts";
import { NoticeLine } from "./notice-line.tsx";

export interface EntryProps {
  readonly item: ChatItem;
  readonly inner: ItemChildren;
}

export const ChatEntry = memo(Entry, (before, after) => {
  const { key } = after.item;
  return before.item === after.item && !before.inner.has(key) && !after.inner.has(key);
});

function Entry({ item, inner }: EntryProps) {
  const { steer } = useStrings();
  switch (item.type) {
    case "user": {
      const { text, images, ts } = item.envelope;
      return (
        <article className="chat-said user" aria-label={steer.you}>
          <span className="who muted">
            {steer.you} <time dateTime={ts}>{formatTime(ts)}</time>
          </span>
          <p>{visibleText(text)}</p>
          {images > 0 && <p className="muted">{fill(steer.images, { n: images })}</p>}
        </article>
      );
    }
    case "text": {
      const { text, aborted, error } = item.envelope;
      return (
        <article className="chat-said agent" aria-label={steer.agent}>
          <Markdown text={text} />
          {aborted && <span className="muted"> · {steer.aborted}</span>}
          {error !== null && <p className="trouble">{visibleText(error)}</p>}
        </article>
      );
    }
    case "call":
      return (
        <ChatCallView
          call={item}
          own={inner.get(item.key) ?? []}
          show={(own) => <ChatEntry key={own.key} item={own} inner={inner} />}
        />
      );
    case "notice":
      return <NoticeLine envelope={item.envelope} />;
    case "result":
      return <TurnResult item={item} />;
  }
}

function TurnResult({ item }: { readonly item: ChatItem & { readonly type: "result" } }) {
  const { steer } = useStrings();
  const { ok, outcome, message, apiStatus, durationMs, turnCostUsd, totalCostUsd } = item.envelope;
  const head = ok
    ? fill(steer.done, { age: formatDuration(durationMs) })
    : fill(steer.ended, { outcome: steer.turnOutcome[outcome] });
  const all = microsText(totalCostUsd * 1_000_000);
  const own = microsText((turnCostUsd ?? totalCostUsd) * 1_000_000);
  const cost = own === all ? own : fill(steer.costOfTotal, { cost: own, total: all });
  return (
    <p className={`chat-turn ${ok ? "" : outcome === "interrupted" ? "stopped" : "bad"}`}>
      <span>
        <Icon name={ok ? "check" : outcome === "interrupted" ? "square" : "bang"} /> {head}
        {apiStatus !== null && !ok && ` (${apiStatus})`}
      </span>
      <span className="number">{cost}</span>
      {!ok && message !== null && outcome !== "interrupted" && (
        <span className="why">{visibleText(message)}</span>
      )}
    </p>
  );
}
