import type { Timeline } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { withoutMarkdown } from "../components/without-markdown.ts";
import { formatTime } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";

/** The items before and after it in its session. */
export function ItemTimeline({ id, onOpen }: { readonly id: number; readonly onOpen: (id: number) => void }) {
  const { search: strings } = useStrings();
  const [response] = useFetch<Timeline>(`/api/timeline?anchor=${id}&depth_before=5&depth_after=5`);
  const entries = lastValue(response)?.entries ?? [];
  if (entries.length < 2) return null;
  return (
    <section className="item-timeline">
      <h3>{strings.timeline}</h3>
      <ol>
        {entries.map((entry) => (
          <li key={entry.id} className={entry.isAnchor ? "here" : ""}>
            <button type="button" disabled={entry.isAnchor} onClick={() => onOpen(entry.id)}>
              <time className="muted mono" dateTime={entry.createdAtIso}>
                {formatTime(entry.createdAtIso)}
              </time>
              <span className={`item-type ${entry.type}`}>{strings.types[entry.type]}</span>
              <span className="cut">{visibleText(withoutMarkdown(entry.title))}</span>
              {entry.isAnchor && <span className="sr-only">{strings.thisItem}</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
