import { useState } from "react";
import type { ConfigAnswer, Setting } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { ConfigControl } from "./config-control.tsx";
import { SettingRow } from "./setting-row.tsx";

const GROUPS = [
  ["recording", /^(exclude|followTranscripts|watchRegistry|processLoad)$/],
  ["memory", /^memory\./],
  ["answers", /^approve\./],
  ["driven", /^control\./],
  ["log", /^logLevel$/],
] as const;

/** The daemon's settings that are safe to change from a page. */
export function ConfigSection({
  answer,
  onChange,
}: {
  readonly answer: ConfigAnswer;
  readonly onChange: (answer: ConfigAnswer) => void;
}) {
  const strings = useStrings();
  const { settings, settingAbout, settingName } = strings;
  const [error, setError] = useState<string | null>(null);
  const [needsRestart, setRestart] = useState(false);
  const set = async (setting: Setting, value: unknown): Promise<void> => {
    setError(null);
    try {
      onChange(await send<ConfigAnswer>("PUT", "/api/config", { key: setting.key, value }));
      if (!setting.live) setRestart(true);
    } catch (error) {
      setError((error as Error).message);
    }
  };
  return (
    <>
      <div aria-live="polite" className="feedback">
        {error !== null && (
          <p className="error-text">{fill(strings.app.failed, { why: visibleText(error) })}</p>
        )}
        {needsRestart && (
          <p className="restart panel">
            {settings.needsRestart} <code>hookline up --restart</code>
          </p>
        )}
      </div>
      {GROUPS.map(([group, keys]) => (
        <section key={group} aria-labelledby={`settings-${group}`}>
          <h2 id={`settings-${group}`}>{settings.group[group]}</h2>
          <div className="panel setting-list">
            {answer.settings
              .filter(({ key }) => keys.test(key))
              .map((setting) => (
                <SettingRow
                  key={setting.key}
                  name={
                    settings.key[setting.key as keyof typeof settings.key] ??
                    settingName[setting.key as keyof typeof settingName] ??
                    setting.key
                  }
                  description={settingAbout[setting.key as keyof typeof settingAbout]}
                  code={setting.key}
                >
                  {({ labelId }) => (
                    <ConfigControl
                      setting={setting}
                      labelId={labelId}
                      onSet={(value) => void set(setting, value)}
                    />
                  )}
                </SettingRow>
              ))}
          </div>
        </section>
      ))}
    </>
  );
}
