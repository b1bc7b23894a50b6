import type { DaemonStatus } from "../../serve/contract.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { formatDay, formatTime } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import { WithCode } from "./with-code.tsx";

/** The daemon's notices, newest first. */
export function NoticeList({ status }: { readonly status: DaemonStatus }) {
  const { health } = useStrings();
  const notices = mergeRepeats(status.notices.map(toNotice).reverse());
  return (
    <section aria-labelledby="health-notices">
      <h2 id="health-notices">{health.notices}</h2>
      <div className="panel">
        {notices.length === 0 ? (
          <p className="muted none">{health.noNotices}</p>
        ) : (
          <ol className="notices">
            {notices.map(({ atIso, text, times }) => (
              <li key={text}>
                <time className="muted" dateTime={atIso}>
                  {formatDay(atIso)} {formatTime(atIso).slice(0, 5)}
                </time>
                <span className="text">
                  <WithCode text={daemonText(text)} /> {times > 1 && <span className="times">×{times}</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

/** Merges repeated notices and keeps the newest time. */
function mergeRepeats(notices: readonly Notice[]): (Notice & { readonly times: number })[] {
  const byText = new Map<string, Notice & { times: number }>();
  for (const notice of notices) {
    const earlier = byText.get(notice.text);
    if (earlier === undefined) byText.set(notice.text, { ...notice, times: 1 });
    else earlier.times++;
  }
  return [...byText.values()];
}

interface Notice {
  readonly atIso: string;
  readonly text: string;
}

function toNotice(notice: string): Notice {
  const separator = notice.indexOf(" ");
  return { atIso: notice.slice(0, separator), text: notice.slice(separator + 1) };
}
