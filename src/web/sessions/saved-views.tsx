import { useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { createStore, useStore } from "../api/store.ts";
import { Icon } from "../components/icon.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";

interface SavedView {
  readonly name: string;
  readonly href: string;
}

const STORAGE_KEY = "hookline.views";
const views = createStore<readonly SavedView[]>(read());

function read(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, href } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === "string" && typeof href === "string" && /^\/sessions(\?|$)/.test(href);
}

function saveViews(next: readonly SavedView[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  views.set(next);
}

/** Named filters, in this browser. */
export function SavedViews({ href, canSave }: { readonly href: string; readonly canSave: boolean }) {
  const strings = useStrings();
  const saved = useStore(views);
  const [name, setName] = useState<string | null>(null);
  const isSaved = saved.some((view) => view.href === href);
  if (saved.length === 0 && !canSave) return null;
  return (
    <div className="saved-views">
      <ul className="chips" aria-label={strings.sessions.views}>
        {saved.map((view) => (
          <li key={view.name} className={`chip-pair ${view.href === href ? "on" : ""}`}>
            <Link href={view.href} aria-current={view.href === href ? "true" : undefined}>
              {visibleText(view.name)}
            </Link>
            <button
              type="button"
              aria-label={fill(strings.sessions.removeView, { name: visibleText(view.name) })}
              onClick={() => saveViews(saved.filter((other) => other !== view))}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
      {name !== null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const trimmed = name.trim();
            if (trimmed !== "")
              saveViews([...saved.filter((view) => view.name !== trimmed), { name: trimmed, href }]);
            setName(null);
          }}
        >
          <input
            className="field"
            // biome-ignore lint/a11y/noAutofocus: the user opened it to type
            autoFocus
            maxLength={40}
            aria-label={strings.sessions.viewName}
            placeholder={strings.sessions.viewName}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setName(null)}
          />
          <button type="submit" className="button">
            {strings.app.save}
          </button>
        </form>
      ) : (
        canSave &&
        !isSaved && (
          <button type="button" className="button bare small" onClick={() => setName("")}>
            + {strings.sessions.saveView}
          </button>
        )
      )}
    </div>
  );
}
