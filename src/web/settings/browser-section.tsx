import { useState } from "react";
import { useStore } from "../api/store.ts";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { language, setLanguage, useStrings } from "../i18n/strings.ts";
import { notificationState, setNotifications } from "../shell/notifications.ts";
import { hasSingleKeys, setSingleKeys } from "../shell/single-keys.ts";
import { setTheme, theme } from "../shell/theme.ts";
import { SettingRow, Switch } from "./setting-row.tsx";

/** Settings of this browser only. */
export function BrowserSection() {
  const { settings } = useStrings();
  const chosenTheme = useStore(theme);
  const chosenLanguage = useStore(language);
  const notifications = useStore(notificationState);
  const [areKeysOn, setKeysOn] = useState(hasSingleKeys);
  return (
    <section aria-labelledby="settings-here">
      <h2 id="settings-here">{settings.browser}</h2>
      <div className="panel setting-list">
        <SettingRow name={settings.theme}>
          {() => (
            <SegmentedControl
              label={settings.theme}
              options={[
                ["system", settings.themes.system],
                ["light", settings.themes.light],
                ["dark", settings.themes.dark],
              ]}
              selected={chosenTheme}
              onSelect={setTheme}
            />
          )}
        </SettingRow>
        <SettingRow name={settings.language}>
          {() => (
            <SegmentedControl
              label={settings.language}
              options={[
                ["en", "English"],
                ["ko", "한국어"],
              ]}
              selected={chosenLanguage}
              onSelect={setLanguage}
            />
          )}
        </SettingRow>
        <SettingRow name={settings.keys} description={settings.keysHint}>
          {({ labelId }) => (
            <Switch
              labelId={labelId}
              isOn={areKeysOn}
              onChange={(isOn) => {
                setSingleKeys(isOn);
                setKeysOn(isOn);
              }}
            />
          )}
        </SettingRow>
        <SettingRow
          name={settings.notices}
          description={
            notifications === "denied"
              ? settings.noticesDenied
              : notifications === "unsupported"
                ? settings.noticesUnsupported
                : settings.noticesHint
          }
        >
          {({ labelId }) => (
            <Switch
              labelId={labelId}
              isOn={notifications === "on"}
              disabled={notifications === "denied" || notifications === "unsupported"}
              onChange={(isOn) => void setNotifications(isOn)}
            />
          )}
        </SettingRow>
      </div>
    </section>
  );
}
