import type { DaemonStatus } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { formatDay, formatTime } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";

/** The daemon's notices, newest first. */
export function NoticeList({ status }: { readonly status: DaemonStatus }) {
  const { health } = useStrings();
  const notices = status.notices.map(toNotice).reverse();
  return (
    <section aria-labelledby="health-notices">
      <h2 id="health-notices">{health.notices}</h2>
      <div className="panel">
        {notices.length === 0 ? (
          <p className="muted none">{health.noNotices}</p>
        ) : (
          <ol className="notices">
            {notices.map(({ atIso, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same may be said twice at once
              <li key={`${atIso} ${index}`}>
                <time className="muted" dateTime={atIso}>
                  {formatDay(atIso)} {formatTime(atIso)}
                </time>
                <span>{visibleText(text)}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function toNotice(notice: string): { atIso: string; text: string } {
  const at = notice.indexOf(" ");
  return { atIso: notice.slice(0, at), text: notice.slice(at + 1) };
}
