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
  const notices = useStore(notificationState);
  const [hasKeys, setKeys] = useState(hasSingleKeys);
  return (
    <section aria-labelledby="settings-here">
      <h2 id="settings-here">{settings.browser}</h2>
      <div className="panel setting-list">
        <SettingRow name={settings.theme}>
          {() => (
            <SegmentedControl
              label={settings.theme}
              choices={[
                ["system", settings.themes.system],
                ["light", settings.themes.light],
                ["dark", settings.themes.dark],
              ]}
              chosen={chosenTheme}
              onChoose={setTheme}
            />
          )}
        </SettingRow>
        <SettingRow name={settings.language}>
          {() => (
            <SegmentedControl
              label={settings.language}
              choices={[
                ["en", "English"],
                ["ko", "한국어"],
              ]}
              chosen={chosenLanguage}
              onChoose={setLanguage}
            />
          )}
        </SettingRow>
        <SettingRow name={settings.keys} about={settings.keysHint}>
          {({ labelId }) => (
            <Switch
              labelId={labelId}
              isOn={hasKeys}
              onChange={(isOn) => {
                setSingleKeys(isOn);
                setKeys(isOn);
              }}
            />
          )}
        </SettingRow>
        <SettingRow
          name={settings.notices}
          about={
            notices === "denied"
              ? settings.noticesDenied
              : notices === "unsupported"
                ? settings.noticesUnsupported
                : settings.noticesHint
          }
        >
          {({ labelId }) => (
            <Switch
              labelId={labelId}
              isOn={notices === "on"}
              disabled={notices === "denied" || notices === "unsupported"}
              onChange={(isOn) => void setNotifications(isOn)}
            />
          )}
        </SettingRow>
      </div>
    </section>
  );
}
