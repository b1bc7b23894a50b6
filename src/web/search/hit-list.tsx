import { Fragment, type KeyboardEvent, useState } from "react";
import type { SearchHit } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { Icon } from "../components/icon.tsx";
import { stripMarkdown } from "../components/without-markdown.ts";
import { baseName, formatCount, formatShortDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { excerptAround } from "./excerpt.ts";
import { findMarks } from "./find-marks.ts";
import { groupSimilar } from "./group-similar.ts";
import { Marked } from "./marked.tsx";

/** The hits, best first. Arrows, Home and End move; Enter opens. */
export function HitList({
  hits,
  query,
  open,
  onOpen,
  onLeave,
}: {
  readonly hits: readonly SearchHit[];
  readonly query: string;
  readonly open: number | null;
  readonly onOpen: (id: number) => void;
  /** Called when the focus moves up out of the list. */
  readonly onLeave: () => void;
}) {
  const { search: strings } = useStrings();
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const move = (event: KeyboardEvent<HTMLOListElement>): void => {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("button.hit, button.similar")];
    const index = rows.indexOf(document.activeElement as HTMLElement);
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (target === undefined || index === -1) return;
    event.preventDefault();
    if (target < 0) onLeave();
    else rows[Math.min(target, rows.length - 1)]?.focus();
  };
  return (
    <ol className="hits panel" onKeyDown={move}>
      {groupSimilar(hits).map(({ best, similar }) => {
        const isExpanded = expanded.has(best.id) || similar.some(({ id }) => id === open);
        return (
          <Fragment key={best.id}>
            <li>
              <Hit hit={best} query={query} isOpen={best.id === open} onOpen={() => onOpen(best.id)} />
              {similar.length > 0 && (
                <button
                  type="button"
                  className="similar"
                  data-row
                  aria-expanded={isExpanded}
                  onClick={() => setExpanded(withToggled(expanded, best.id))}
                >
                  <Icon name={isExpanded ? "down" : "right"} />
                  {fill(strings.similar, { n: similar.length })}
                </button>
              )}
            </li>
            {isExpanded &&
              similar.map((hit) => (
                <li key={hit.id} className="inner">
                  <Hit hit={hit} query={query} isOpen={hit.id === open} onOpen={() => onOpen(hit.id)} />
                </li>
              ))}
          </Fragment>
        );
      })}
    </ol>
  );
}

function withToggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function Hit({
  hit,
  query,
  isOpen,
  onOpen,
}: {
  readonly hit: SearchHit;
  readonly query: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const { search: strings } = useStrings();
  const now = useNow();
  const { outcome } = hit;
  const snippet = stripMarkdown(toOneLine(hit.snippet), hit.marks);
  const isTitleOnly = hit.snippet === hit.title;
  return (
    <button
      type="button"
      className={`hit ${isOpen ? "on" : ""}`}
      data-row
      data-hit={hit.id}
      aria-pressed={isOpen}
      onClick={onOpen}
    >
      <span className={`item-type ${hit.type}`}>{strings.types[hit.type]}</span>
      <span className="line">
        <span className="title">
          <Marked {...stripMarkdown(hit.title, isTitleOnly ? hit.marks : findMarks(hit.title, query))} />
        </span>
        {hit.why.pinned && <span className="badge">★ {strings.pinned}</span>}
        <time className="muted number" dateTime={hit.createdAtIso}>
          {formatShortDuration(now - Date.parse(hit.createdAtIso))}
        </time>
      </span>
      {!isTitleOnly && (
        <span className="snippet">
          <Marked {...excerptAround(snippet.text, snippet.marks)} />
        </span>
      )}
      <span className="about muted">
        <span className="cut">{visibleText(baseName(hit.project))}</span>
        {hit.toolName !== null && <span>{visibleText(hit.toolName)}</span>}
        {outcome === "failed" ? (
          <span className="bad">
            <Icon name="cross" /> {strings.failed}
          </span>
        ) : (
          outcome !== null && (
            <span>
              <Icon name="denied" /> {strings[outcome]}
            </span>
          )
        )}
        <span>{fill(strings.tokens, { n: formatCount(hit.tokens) })}</span>
      </span>
    </button>
  );
}

/** Replaces bullets for display on one line. Keeps the length, so marks stay valid. */
function toOneLine(text: string): string {
  return text.replace(/^- /, "  ").replaceAll(/\s- (?=[A-Z0-9])/g, (match) => `${match[0]}· `);
}
