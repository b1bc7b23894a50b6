import { useState } from "react";
import type { ConfigAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { BrowserSection } from "../settings/browser-section.tsx";
import { ConfigSection } from "../settings/config-section.tsx";
import { DataLocations } from "../settings/data-locations.tsx";
import { HooksSection } from "../settings/hooks-section.tsx";
import { LoginList } from "../settings/login-list.tsx";
import "../styles/lists.css";
import "../settings/settings.css";

/** The user's settings: for this browser, and for the daemon. */
export function SettingsPage() {
  const strings = useStrings();
  const [response] = useFetch<ConfigAnswer>("/api/config");
  const [changed, setChanged] = useState<ConfigAnswer | null>(null);
  const config = changed ?? lastValue(response);
  return (
    <div className="settings-page">
      <h1>{strings.pages.settings}</h1>
      <BrowserSection />
      <HooksSection changed={changed} />
      {response.type === "failed" && (
        <p className="error-text" role="alert">
          {fill(strings.app.failed, { why: visibleText(response.error.message) })}
        </p>
      )}
      {config !== null && <ConfigSection answer={config} onChange={setChanged} />}
      <LoginList />
      {config !== null && <DataLocations places={config.places} />}
    </div>
  );
}
