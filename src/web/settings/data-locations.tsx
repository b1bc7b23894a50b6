import { useState } from "react";
import type { ConfigAnswer, SampleAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyIcon } from "./copy-icon.tsx";

/** Where data is stored: on this machine, and nowhere else. */
export function DataLocations({ places }: { readonly places: ConfigAnswer["places"] }) {
  const strings = useStrings();
  const { settings } = strings;
  const [response, refetch] = useFetch<SampleAnswer>("/api/sample");
  const [error, setError] = useState<string | null>(null);
  const hasSample = (lastValue(response)?.sessionId ?? null) !== null;
  const remove = (): void => {
    setError(null);
    send("DELETE", "/api/sample").then(refetch, (error: Error) => setError(error.message));
  };
  return (
    <section aria-labelledby="settings-places">
      <h2 id="settings-places">{settings.locations}</h2>
      <ul className="panel place-list">
        {places.map(({ key, path }) => {
          const name = settings.location[key as keyof typeof settings.location] ?? visibleText(key);
          return (
            <li key={key}>
              <span className="name">{name}</span>
              <code className="path">{visibleText(path)}</code>
              <CopyIcon text={path} label={`${strings.app.copy}: ${name}`} />
            </li>
          );
        })}
      </ul>
      <ul className="panel setting-list" hidden={!hasSample}>
        {hasSample && (
          <li className="setting-row">
            <span className="name">{settings.sample}</span>
            <div className="control">
              <button type="button" className="button danger" onClick={remove}>
                {settings.removeSample}
              </button>
            </div>
          </li>
        )}
      </ul>
      {error !== null && (
        <p className="error-text" role="alert">
          {fill(strings.app.failed, { why: visibleText(error) })}
        </p>
      )}
      <p className="muted about">{settings.locationsHint}</p>
    </section>
  );
}
