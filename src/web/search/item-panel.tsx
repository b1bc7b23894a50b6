import { useEffect, useRef, useState } from "react";
import type { ItemDetail, MarkRequest } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { PHONE } from "../components/use-media.ts";
import { withoutMarkdown } from "../components/without-markdown.ts";
import { baseName, formatCount, formatDateTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { ForgetDialog } from "./forget-dialog.tsx";
import { ItemEdit } from "./item-edit.tsx";
import { ItemText } from "./item-text.tsx";
import { ItemTimeline } from "./item-timeline.tsx";
import "./item-panel.css";

/** One item in full, its context, and the available actions. */
export function ItemPanel({
  id,
  onClose,
  onOpen,
  onChanged,
}: {
  readonly id: number;
  readonly onClose: () => void;
  readonly onOpen: (id: number) => void;
  readonly onChanged: () => void;
}) {
  const { search: strings, app } = useStrings();
  const [response, refetch] = useFetch<ItemDetail>(`/api/observations/${id}`);
  const [openAction, setOpenAction] = useState<"edit" | "forget" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const panel = useRef<HTMLElement>(null);
  const item = lastValue(response);
  useEffect(() => {
    // On a phone it covers the list.
    if (matchMedia(PHONE).matches) panel.current?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && document.querySelector("dialog[open]") === null) onClose();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  const mark = async (request: MarkRequest): Promise<void> => {
    setError(null);
    try {
      await send("POST", `/api/observations/${id}/mark`, request);
      setOpenAction(null);
      refetch();
      onChanged();
    } catch (error) {
      setError((error as Error).message);
    }
  };
  return (
    <aside
      className="item-panel panel"
      ref={panel}
      tabIndex={-1}
      aria-label={visibleText(item?.content.title ?? "")}
    >
      <header>
        <button type="button" className="button bare small" onClick={onClose}>
          ← {strings.back}
        </button>
        {item !== null && (
          <div className="button-row">
            <button
              type="button"
              className="button small"
              data-key="p"
              aria-pressed={item.pinned}
              onClick={() => void mark({ pinned: !item.pinned })}
            >
              <span aria-hidden="true">{item.pinned ? "★" : "☆"}</span>{" "}
              {item.pinned ? strings.unpin : strings.pin}
            </button>
            <button
              type="button"
              className="button small"
              data-key="e"
              onClick={() => setOpenAction(openAction === "edit" ? null : "edit")}
            >
              {strings.edit}
            </button>
            <button
              type="button"
              className="button small danger"
              data-key="x"
              onClick={() => setOpenAction("forget")}
            >
              {strings.forget}
            </button>
          </div>
        )}
      </header>
      {response.type === "failed" && (
        <p className="error-text" role="alert">
          {visibleText(response.error.message)}
        </p>
      )}
      {error !== null && (
        <p className="error-text" role="alert">
          {visibleText(error)}
        </p>
      )}
      {item === null ? (
        response.type === "loading" && <p className="muted">{app.loading}</p>
      ) : (
        <>
          <div>
            <h2>{visibleText(withoutMarkdown(item.content.title))}</h2>
            <p className="about muted">
              <span className={`item-type ${item.content.type}`}>{strings.types[item.content.type]}</span>
              {strings.kinds[item.kind] !== strings.types[item.content.type] && (
                <span>{strings.kinds[item.kind]}</span>
              )}
              {item.toolName !== null && <span>{visibleText(item.toolName)}</span>}
              <span>{visibleText(baseName(item.project))}</span>
              {item.branch !== null && <span>▸ {visibleText(item.branch)}</span>}
              <time dateTime={item.createdAtIso}>{formatDateTime(item.createdAtIso)}</time>
              <span>{fill(strings.tokens, { n: formatCount(item.tokens) })}</span>
              {item.madeBy === "person" && <span className="badge">{strings.edited}</span>}
              {item.success === false && <span className="bad">✕ {strings.failed}</span>}
            </p>
          </div>
          {openAction === "edit" ? (
            <ItemEdit item={item} onSave={(edit) => mark({ edit })} onCancel={() => setOpenAction(null)} />
          ) : (
            <ItemText item={item} />
          )}
          <Link className="button" data-key="o" href={`/s/${encodeURIComponent(item.sessionId)}`}>
            {strings.session}
          </Link>
          <ItemTimeline id={id} onOpen={onOpen} />
          {openAction === "forget" && (
            <ForgetDialog
              item={item}
              onClose={() => setOpenAction(null)}
              onDone={() => {
                onClose();
                onChanged();
              }}
            />
          )}
        </>
      )}
    </aside>
  );
}
