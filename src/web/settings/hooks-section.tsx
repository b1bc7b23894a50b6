import { useEffect, useState } from "react";
import type { HooksAnswer, HooksChange, HooksResult } from "../../serve/hooks-contract.ts";
import type { ConfigAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { HooksUpdate, WrittenHooks } from "./hooks-update.tsx";
import { SettingRow, Switch } from "./setting-row.tsx";

/** Switches for guard and approve, as `hookline install` sets them, with the settings file they change. */
export function HooksSection({
  changed,
}: {
  /** The configuration after a change, which may need other hooks. */
  readonly changed: ConfigAnswer | null;
}) {
  const strings = useStrings();
  const { hooks } = strings;
  const [response, refetch] = useFetch<HooksAnswer>("/api/hooks");
  const [result, setResult] = useState<HooksResult | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (changed === null) return;
    setResult(null);
    refetch();
  }, [changed, refetch]);
  const state = result ?? lastValue(response);
  const set = async (change: HooksChange): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    await send<HooksResult>("PUT", "/api/hooks", change).then(setResult, (error: Error) => {
      setError(error.message);
      setResult(null);
      refetch();
    });
    setBusy(false);
  };
  if (state === null)
    return response.type === "failed" ? (
      <p className="error-text">{visibleText(response.error.message)}</p>
    ) : null;
  const { files, guard, approve, problem } = state;
  const names = files.map(({ path }) => visibleText(path)).join(", ");
  const isInstalled = files.some(({ installed }) => installed);
  const isDisabled = problem !== null;
  return (
    <section aria-labelledby="settings-hooks">
      <h2 id="settings-hooks">{hooks.title}</h2>
      <div className="panel setting-list">
        <SettingRow name={hooks.guard} description={hooks.guardAbout} code="guard.on">
          {({ labelId }) => (
            <Switch
              isOn={guard.on}
              labelId={labelId}
              disabled={isDisabled}
              onChange={(on) => void set({ guard: on, ...(!on && { failClosed: false }) })}
            />
          )}
        </SettingRow>
        {guard.on && (
          <SettingRow name={hooks.failClosed} description={hooks.failClosedAbout} code="guard.failClosed">
            {({ labelId }) => (
              <Switch
                isOn={guard.failClosed}
                labelId={labelId}
                disabled={isDisabled}
                onChange={(failClosed) => void set({ failClosed })}
              />
            )}
          </SettingRow>
        )}
        <SettingRow name={hooks.approve} description={hooks.approveAbout} code="approve.on">
          {({ labelId }) => (
            <Switch
              isOn={approve.on}
              labelId={labelId}
              disabled={isDisabled}
              onChange={(on) => void set({ approve: on })}
            />
          )}
        </SettingRow>
      </div>
      <p className="muted about">
        {problem === null && fill(isInstalled ? hooks.writes : hooks.installs, { file: names })}
      </p>
      <div aria-live="polite" className="feedback">
        {(error ?? problem) !== null && (
          <p className="error-text">{fill(hooks.blocked, { why: visibleText(error ?? problem ?? "") })}</p>
        )}
        {result !== null && <WrittenHooks result={result} />}
        {files.some(({ outdated }) => outdated) && <HooksUpdate onDone={setResult} />}
      </div>
    </section>
  );
}
