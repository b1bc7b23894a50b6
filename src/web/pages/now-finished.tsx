import { Fragment } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { useStore } from "../api/store.ts";
import type { FrozenOrder } from "../parts/frozen-order.ts";
import { Icon } from "../parts/icon.tsx";
import { isUnseen, looked, sawAll } from "../parts/looked.ts";
import { SessionRow } from "../parts/session-row.tsx";
import { UpdatesPill } from "../parts/updates-pill.tsx";
import { useWords } from "../words/words.ts";

/** What ended of late, and a line below what ended while nobody looked. */
export function FinishedList({ list }: { readonly list: FrozenOrder<SessionSnapshot> }) {
  const { now } = useWords();
  const at = useStore(looked);
  const areNew = list.items.map((session) => isUnseen(session, at));
  const lastNew = areNew.lastIndexOf(true);
  return (
    <section aria-labelledby="finished">
      <div className="list-head">
        <h2 id="finished">{now.finished}</h2>
        <UpdatesPill updates={list.updates} onApply={list.apply} />
        {lastNew !== -1 && (
          <button type="button" className="button bare small" onClick={sawAll}>
            {now.allSeen}
          </button>
        )}
      </div>
      <div className="panel rows" {...list.holders}>
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
