import { useState } from "react";
import { useStore } from "../api/store.ts";
import { Choice } from "../parts/choice.tsx";
import { notifying, setNotifying } from "../shell/notify.ts";
import { hasSingleKeys, setSingleKeys } from "../shell/single-keys.ts";
import { setTheme, theme } from "../shell/theme.ts";
import { language, setLanguage, useWords } from "../words/words.ts";
import { SettingRow, Switch } from "./setting-row.tsx";

/** What is this browser's own. */
export function HereSection() {
  const { settings } = useWords();
  const chosenTheme = useStore(theme);
  const chosenLanguage = useStore(language);
  const notices = useStore(notifying);
  const [hasKeys, setKeys] = useState(hasSingleKeys);
  return (
    <section aria-labelledby="settings-here">
      <h2 id="settings-here">{settings.here}</h2>
      <div className="panel setting-list">
        <SettingRow name={settings.theme}>
          {() => (
            <Choice
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
            <Choice
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
        <SettingRow name={settings.keys} about={settings.keysAbout}>
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
                : settings.noticesAbout
          }
        >
          {({ labelId }) => (
            <Switch
              labelId={labelId}
              isOn={notices === "on"}
              disabled={notices === "denied" || notices === "unsupported"}
              onChange={(isOn) => void setNotifying(isOn)}
            />
          )}
        </SettingRow>
      </div>
    </section>
  );
}
