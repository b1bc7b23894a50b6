import { Fragment } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { useStore } from "../api/store.ts";
import type { FrozenOrder } from "../components/frozen-order.ts";
import { Icon } from "../components/icon.tsx";
import { isUnseen, lastSeen, markAllSeen } from "../components/last-seen.ts";
import { SessionRow } from "../components/session-row.tsx";
import { UpdatesPill } from "../components/updates-pill.tsx";
import { useStrings } from "../i18n/strings.ts";

/** Recently ended sessions, with a divider below those that ended while the user was away. */
export function FinishedList({ list }: { readonly list: FrozenOrder<SessionSnapshot> }) {
  const { now } = useStrings();
  const seen = useStore(lastSeen);
  const areNew = list.items.map((session) => isUnseen(session, seen));
  const lastNew = areNew.lastIndexOf(true);
  return (
    <section aria-labelledby="finished">
      <div className="list-head">
        <h2 id="finished">{now.finished}</h2>
        <UpdatesPill updates={list.updates} onApply={list.apply} />
        {lastNew !== -1 && (
          <button type="button" className="button bare small" onClick={markAllSeen}>
            {now.allSeen}
          </button>
        )}
      </div>
      <div className="panel rows" {...list.handlers}>
        {list.items.map((session, index) => (
          <Fragment key={session.sessionId}>
            <SessionRow session={session} isNew={areNew[index] === true} />
            {index === lastNew && index < list.items.length - 1 && (
              <p className="unseen-line">
                <span>
                  <Icon name="up" /> {now.unseenLine}
                </span>
              </p>
            )}
          </Fragment>
        ))}
      </div>
    </section>
  );
}
