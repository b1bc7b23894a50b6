import { useEffect, useState } from "react";
import type { HooksAnswer, HooksChange, HooksResult } from "../../serve/hooks-contract.ts";
import type { ConfigAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { HooksUpdate, WrittenHooks } from "./hooks-update.tsx";
import { SettingRow, Switch } from "./setting-row.tsx";

/** Guard and approve: what `hookline install` switches, with the file that it changes. */
export function HooksSection({
  changed,
}: {
  /** The configuration after a change, which may need other hooks. */
  readonly changed: ConfigAnswer | null;
}) {
  const words = useStrings();
  const { hooks } = words;
  const [asked, again] = useFetch<HooksAnswer>("/api/hooks");
  const [result, setResult] = useState<HooksResult | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (changed === null) return;
    setResult(null);
    again();
  }, [changed, again]);
  const state = result ?? lastValue(asked);
  const set = async (change: HooksChange): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setTrouble(null);
    await send<HooksResult>("PUT", "/api/hooks", change).then(setResult, (error: Error) => {
      setTrouble(error.message);
      setResult(null);
      again();
    });
    setBusy(false);
  };
  if (state === null)
    return asked.type === "failed" ? <p className="trouble">{visibleText(asked.error.message)}</p> : null;
  const { files, guard, approve, problem } = state;
  const names = files.map(({ path }) => visibleText(path)).join(", ");
  const isInstalled = files.some(({ installed }) => installed);
  const isOff = problem !== null;
  const switches = [
    [
      "guard",
      hooks.guard,
      hooks.guardAbout,
      guard.on,
      (on: boolean) => ({ guard: on, ...(!on && { failClosed: false }) }),
    ],
    ["approve", hooks.approve, hooks.approveAbout, approve.on, (on: boolean) => ({ approve: on })],
  ] as const;
  return (
    <section aria-labelledby="settings-hooks">
      <h2 id="settings-hooks">{hooks.title}</h2>
      <div className="panel setting-list">
        {switches.map(([key, name, about, isOn, change]) => (
          <SettingRow key={key} name={name} about={about} code={`${key}.on`}>
            {({ labelId }) => (
              <Switch
                isOn={isOn}
                labelId={labelId}
                disabled={isOff}
                onChange={(on) => void set(change(on))}
              />
            )}
          </SettingRow>
        ))}
        {guard.on && (
          <SettingRow name={hooks.failClosed} about={hooks.failClosedAbout} code="guard.failClosed">
            {({ labelId }) => (
              <Switch
                isOn={guard.failClosed}
                labelId={labelId}
                disabled={isOff}
                onChange={(failClosed) => void set({ failClosed })}
              />
            )}
          </SettingRow>
        )}
      </div>
      <p className="muted about">
        {problem === null && fill(isInstalled ? hooks.writes : hooks.installs, { file: names })}
      </p>
      <div aria-live="polite" className="said">
        {(trouble ?? problem) !== null && (
          <p className="trouble">{fill(hooks.blocked, { why: visibleText(trouble ?? problem ?? "") })}</p>
        )}
        {result !== null && <WrittenHooks result={result} />}
        {files.some(({ outdated }) => outdated) && <HooksUpdate onDone={setResult} />}
      </div>
    </section>
  );
}
