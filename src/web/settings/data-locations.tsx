import { useState } from "react";
import type { ConfigAnswer, SampleAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyButton } from "../session/copy-button.tsx";

/** Where data is stored: on this machine, and nowhere else. */
export function DataLocations({ places }: { readonly places: ConfigAnswer["places"] }) {
  const words = useStrings();
  const { settings } = words;
  const [asked, again] = useFetch<SampleAnswer>("/api/sample");
  const [trouble, setTrouble] = useState<string | null>(null);
  const hasSample = (lastValue(asked)?.sessionId ?? null) !== null;
  const remove = (): void => {
    setTrouble(null);
    send("DELETE", "/api/sample").then(again, (error: Error) => setTrouble(error.message));
  };
  return (
    <section aria-labelledby="settings-places">
      <h2 id="settings-places">{settings.locations}</h2>
      <ul className="panel setting-list">
        {places.map(({ key, path }) => (
          <li key={key} className="setting-row place">
            <span className="name">
              {settings.location[key as keyof typeof settings.location] ?? visibleText(key)}
            </span>
            <code className="path">{visibleText(path)}</code>
            <CopyButton text={path} label={words.app.copy} className="button bare" />
          </li>
        ))}
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
      {trouble !== null && (
        <p className="trouble" role="alert">
          {fill(words.app.failed, { why: visibleText(trouble) })}
        </p>
      )}
      <p className="muted about">{settings.locationsHint}</p>
    </section>
  );
}
