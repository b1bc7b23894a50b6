import { useState } from "react";
import type { HooksResult } from "../../serve/hooks-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { fill, useStrings } from "../i18n/strings.ts";

/** Offers to reinstall hooks that no longer match the configuration and the rules. */
export function HooksUpdate({ onDone }: { readonly onDone?: (result: HooksResult) => void }) {
  const { hooks: strings } = useStrings();
  const [state, setState] = useState<"idle" | "running" | HooksResult | Error>("idle");
  const update = (): void => {
    setState("running");
    send<HooksResult>("PUT", "/api/hooks", {}).then((result) => {
      setState(result);
      onDone?.(result);
    }, setState);
  };
  if (state instanceof Error)
    return <p className="error-text">{fill(strings.blocked, { why: visibleText(state.message) })}</p>;
  if (typeof state === "object") return <WrittenHooks result={state} />;
  return (
    <p className="panel notice">
      {strings.outdated}{" "}
      <button type="button" className="button small" disabled={state === "running"} onClick={update}>
        {state === "running" ? strings.updating : strings.update}
      </button>
    </p>
  );
}

/** Which settings were changed, and how. */
export function WrittenHooks({ result }: { readonly result: HooksResult }) {
  const { hooks: strings } = useStrings();
  if (result.written.length === 0) return <p className="panel notice">✓ {strings.unchanged}</p>;
  return (
    <>
      {result.written.map(({ path, ...counts }) => (
        <p key={path} className="panel notice">
          ✓ {fill(strings.wrote, { file: visibleText(path), ...counts })}
        </p>
      ))}
    </>
  );
}
