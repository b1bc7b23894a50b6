import { useState } from "react";
import type { LoginsAnswer } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { useNow } from "../api/clock.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { formatDay, formatShortDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";

/** The signed-in browsers, each of which can be signed out. */
export function LoginList() {
  const strings = useStrings();
  const { settings } = strings;
  const now = useNow();
  const [response, refetch] = useFetch<LoginsAnswer>("/api/logins");
  const [error, setError] = useState<string | null>(null);
  const logins = lastValue(response)?.logins ?? [];
  const signOut = (id: string, isThis: boolean): void => {
    setError(null);
    const request = isThis
      ? send("POST", "/api/logout")
      : send("DELETE", `/api/logins/${encodeURIComponent(id)}`);
    // If this browser was signed out, the next request shows it.
    request.then(refetch, (error: Error) => setError(error.message));
  };
  return (
    <section aria-labelledby="settings-logins">
      <h2 id="settings-logins">{settings.logins}</h2>
      {error !== null && (
        <p className="error-text" role="alert">
          {fill(strings.app.failed, { why: visibleText(error) })}
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
                  day: formatDay(createdAtIso),
                  age: formatShortDuration(now - Date.parse(lastUsedAtIso)),
                })}
              </span>
            </div>
            <div className="control">
              <button type="button" className="button danger" onClick={() => signOut(id, isThis)}>
                {isThis ? settings.logOut : settings.revoke}
              </button>
            </div>
          </li>
        ))}
        {logins.length === 0 && <li className="muted none">{settings.noLogins}</li>}
      </ul>
      <p className="muted about">{settings.loginsHint}</p>
    </section>
  );
}
