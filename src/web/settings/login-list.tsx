import { useState } from "react";
import type { LoginsAnswer } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { useNow } from "../api/clock.ts";
import { lastValue, useAnswer } from "../api/use-answer.ts";
import { day, shortAge } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";

/** The browsers that were let in, each of which can be shown out. */
export function LoginList() {
  const words = useWords();
  const { settings } = words;
  const now = useNow();
  const [asked, again] = useAnswer<LoginsAnswer>("/api/logins");
  const [trouble, setTrouble] = useState<string | null>(null);
  const logins = lastValue(asked)?.logins ?? [];
  const end = (id: string, isThis: boolean): void => {
    setTrouble(null);
    const ended = isThis
      ? send("POST", "/api/logout")
      : send("DELETE", `/api/logins/${encodeURIComponent(id)}`);
    // Of this one nothing is left to show: the next question says so.
    ended.then(again, (error: Error) => setTrouble(error.message));
  };
  return (
    <section aria-labelledby="settings-logins">
      <h2 id="settings-logins">{settings.logins}</h2>
      {trouble !== null && (
        <p className="trouble" role="alert">
          {fill(words.app.failed, { why: visibleText(trouble) })}
        </p>
      )}
      <ul className="panel setting-list">
        {logins.map(({ id, browser, createdAtIso, lastUsedAtIso, isThis }) => (
          <li key={id} className="setting-row" data-row>
            <div className="text">
              <span className="name">
                {visibleText(browser)} {isThis && <span className="this">{settings.thisBrowser}</span>}
              </span>
              <span className="muted about">
                {fill(settings.loginSince, {
                  day: day(createdAtIso),
                  age: shortAge(now - Date.parse(lastUsedAtIso)),
                })}
              </span>
            </div>
            <div className="control">
              <button type="button" className="button danger" onClick={() => end(id, isThis)}>
                {isThis ? settings.logOut : settings.revoke}
              </button>
            </div>
          </li>
        ))}
        {logins.length === 0 && <li className="muted none">{settings.noLogins}</li>}
      </ul>
      <p className="muted about">{settings.loginsAbout}</p>
    </section>
  );
}
