import { useEffect, useState } from "react";
import type { ForgetRequest, ForgetResult, ItemDetail } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Dialog } from "../shell/dialog.tsx";

type Scope = "item" | "session" | "file";

/** Counts first, then asks, then forgets: it cannot be undone. */
export function ForgetDialog({
  item,
  onClose,
  onDone,
}: {
  readonly item: ItemDetail;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { forget: words, app } = useStrings();
  const [scope, setScope] = useState<Scope>("item");
  const [counted, setCounted] = useState<ForgetResult | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const file = item.content.filesModified[0] ?? item.content.filesRead[0];
  const scopes: readonly (readonly [Scope, string])[] = [
    ["item", words.item],
    ["session", words.session],
    ...(file === undefined ? [] : [["file", fill(words.file, { file: baseName(file) })] as const]),
  ];
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted anew for another scope alone
  useEffect(() => {
    let isOver = false;
    setCounted(null);
    setTrouble(null);
    send<ForgetResult>("POST", "/api/forget", { ...requestFor(scope, item, file), dryRun: true }).then(
      (result) => !isOver && setCounted(result),
      (error: Error) => !isOver && setTrouble(error.message),
    );
    return () => {
      isOver = true;
    };
  }, [scope]);
  const forget = async (): Promise<void> => {
    setBusy(true);
    try {
      await send<ForgetResult>("POST", "/api/forget", requestFor(scope, item, file));
      onDone();
    } catch (error) {
      setTrouble((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog label={words.title} onClose={onClose}>
      <form
        className="forget-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void forget();
        }}
      >
        <h2>{words.title}</h2>
        <fieldset>
          <legend className="sr-only">{words.what}</legend>
          {scopes.map(([key, label]) => (
            <label key={key} className={scope === key ? "on" : ""}>
              <input type="radio" name="scope" checked={scope === key} onChange={() => setScope(key)} />
              <span className="cut">{visibleText(label)}</span>
            </label>
          ))}
        </fieldset>
        <p role="status">
          {counted !== null
            ? fill(words.count, {
                items: counted.items,
                facts: counted.facts,
                sessions: counted.sessions,
              })
            : trouble === null && words.counting}
        </p>
        {trouble !== null && (
          <p className="trouble" role="alert">
            {visibleText(trouble)}
          </p>
        )}
        <p className="muted">{words.irreversible}</p>
        <div className="acts">
          <button type="button" className="button" onClick={onClose}>
            {app.cancel}
          </button>
          <button type="submit" className="button danger" disabled={counted === null || isBusy}>
            {words.confirm}
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
