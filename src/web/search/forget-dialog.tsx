import { useEffect, useState } from "react";
import type { ForgetRequest, ForgetResult, ItemDetail } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Dialog } from "../shell/dialog.tsx";

type Scope = "item" | "session" | "file";

/** Shows the counts and asks for confirmation, because forgetting cannot be undone. */
export function ForgetDialog({
  item,
  onClose,
  onDone,
}: {
  readonly item: ItemDetail;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { forget: strings, app } = useStrings();
  const [scope, setScope] = useState<Scope>("item");
  const [preview, setPreview] = useState<ForgetResult | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const file = item.content.filesModified[0] ?? item.content.filesRead[0];
  const scopes: readonly (readonly [Scope, string])[] = [
    ["item", strings.item],
    ["session", strings.session],
    ...(file === undefined ? [] : [["file", fill(strings.file, { file: baseName(file) })] as const]),
  ];
  // biome-ignore lint/correctness/useExhaustiveDependencies: recounted only when the scope changes
  useEffect(() => {
    let isDisposed = false;
    setPreview(null);
    setError(null);
    send<ForgetResult>("POST", "/api/forget", { ...requestFor(scope, item, file), dryRun: true }).then(
      (result) => !isDisposed && setPreview(result),
      (error: Error) => !isDisposed && setError(error.message),
    );
    return () => {
      isDisposed = true;
    };
  }, [scope]);
  const forget = async (): Promise<void> => {
    setBusy(true);
    try {
      await send<ForgetResult>("POST", "/api/forget", requestFor(scope, item, file));
      onDone();
    } catch (error) {
      setError((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog label={strings.title} onClose={onClose}>
      <form
        className="forget-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void forget();
        }}
      >
        <h2>{strings.title}</h2>
        <fieldset>
          <legend className="sr-only">{strings.what}</legend>
          {scopes.map(([key, label]) => (
            <label key={key} className={scope === key ? "on" : ""}>
              <input type="radio" name="scope" checked={scope === key} onChange={() => setScope(key)} />
              <span className="cut">{visibleText(label)}</span>
            </label>
          ))}
        </fieldset>
        <p role="status">
          {preview !== null
            ? fill(strings.count, {
                items: preview.items,
                facts: preview.facts,
                sessions: preview.sessions,
              })
            : error === null && strings.counting}
        </p>
        {error !== null && (
          <p className="error-text" role="alert">
            {visibleText(error)}
          </p>
        )}
        <p className="muted">{strings.irreversible}</p>
        <div className="button-row">
          <button type="button" className="button" onClick={onClose}>
            {app.cancel}
          </button>
          <button type="submit" className="button danger" disabled={preview === null || isBusy}>
            {strings.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function requestFor(scope: Scope, item: ItemDetail, file: string | undefined): ForgetRequest {
  switch (scope) {
    case "item":
      return { ids: [item.id] };
    case "session":
      return { session: item.sessionId };
    case "file":
      return { file: file ?? "" };
    default:
      return scope satisfies never;
  }
}
