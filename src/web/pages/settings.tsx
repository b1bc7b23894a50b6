import { useState } from "react";
import type { ConfigAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useAnswer } from "../api/use-answer.ts";
import { ConfigSection } from "../settings/config-section.tsx";
import { HereSection } from "../settings/here-section.tsx";
import { LoginList } from "../settings/login-list.tsx";
import { PlaceList } from "../settings/place-list.tsx";
import { fill, useWords } from "../words/words.ts";
import "../look/lists.css";
import "../settings/settings.css";

/** What a person may choose: for this browser, and for the daemon. */
export function SettingsPage() {
  const words = useWords();
  const [asked] = useAnswer<ConfigAnswer>("/api/config");
  const [changed, setChanged] = useState<ConfigAnswer | null>(null);
  const config = changed ?? lastValue(asked);
  return (
    <div className="settings-page">
      <h1>{words.pages.settings}</h1>
      <HereSection />
      {asked.type === "failed" && (
        <p className="trouble" role="alert">
          {fill(words.app.failed, { why: visibleText(asked.error.message) })}
        </p>
      )}
      {config !== null && <ConfigSection answer={config} onChange={setChanged} />}
      <LoginList />
      {config !== null && <PlaceList places={config.places} />}
    </div>
  );
}
