import type { Timeline } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useAnswer } from "../api/use-answer.ts";
import { withoutMarkdown } from "../parts/without-markdown.ts";
import { clock } from "../words/amounts.ts";
import { useWords } from "../words/words.ts";

/** What its session did before and after. */
export function ItemAround({ id, onOpen }: { readonly id: number; readonly onOpen: (id: number) => void }) {
  const { search: words } = useWords();
  const [asked] = useAnswer<Timeline>(`/api/timeline?anchor=${id}&depth_before=5&depth_after=5`);
  const entries = lastValue(asked)?.entries ?? [];
  if (entries.length < 2) return null;
  return (
    <section className="item-around">
      <h3>{words.around}</h3>
      <ol>
        {entries.map((entry) => (
          <li key={entry.id} className={entry.isAnchor ? "here" : ""}>
            <button type="button" disabled={entry.isAnchor} onClick={() => onOpen(entry.id)}>
              <time className="muted mono" dateTime={entry.createdAtIso}>
                {clock(entry.createdAtIso)}
              </time>
              <span className={`item-type ${entry.type}`}>{words.types[entry.type]}</span>
              <span className="cut">{visibleText(withoutMarkdown(entry.title))}</span>
              {entry.isAnchor && <span className="sr-only">{words.here}</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
