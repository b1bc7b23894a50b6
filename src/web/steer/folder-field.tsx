import { useState } from "react";
import { isSampleSession } from "../../event/sample.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { baseName } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import { SuggestionList, suggestionProps, useSuggestions } from "./suggestions.tsx";
import { usePaths } from "./use-paths.ts";

const MAX_CHIPS = 6;

/** A folder input with completion, and buttons for recent projects. */
export function FolderField({
  cwd,
  onChange,
}: {
  readonly cwd: string;
  readonly onChange: (cwd: string) => void;
}) {
  const { steer } = useStrings();
  const folders = recentFolders(
    [...useStore(live).sessions.values()].filter(({ sessionId }) => !isSampleSession(sessionId)),
  );
  const [isFocused, setFocused] = useState(false);
  const isPath = isFocused && /^[/~]/.test(cwd);
  const paths = usePaths("/api/control/folders", isPath ? cwd : null);
  const suggestions = useSuggestions(paths, onChange, false);
  return (
    <div className="form-row folder-field">
      <label htmlFor="steer-folder">{steer.folder}</label>
      <input
        id="steer-folder"
        className="field mono"
        role="combobox"
        aria-expanded={suggestions.isOpen}
        {...suggestionProps(suggestions)}
        required
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        placeholder={steer.folderHint}
        value={cwd}
        onChange={(event) => onChange(event.target.value)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onKeyDown={suggestions.onKeyDown}
      />
      <SuggestionList suggestions={suggestions} />
      {folders.length > 0 && (
        <ul className="folder-chips" aria-label={steer.recent}>
          {folders.slice(0, MAX_CHIPS).map((folder) => (
            <li key={folder}>
              <button
                type="button"
                className={`folder-chip ${folder === cwd ? "on" : ""}`}
                aria-pressed={folder === cwd}
                title={visibleText(folder)}
                onClick={() => onChange(folder)}
              >
                {visibleText(baseName(folder))}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface RecentSession {
  readonly projectPath: string | null;
  readonly cwd: string | null;
  readonly lastEventAtIso: string;
}

function recentFolders(sessions: readonly RecentSession[]): string[] {
  const sorted = [...sessions].sort((a, b) => (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1));
  return [...new Set(sorted.flatMap(({ projectPath, cwd }) => projectPath ?? cwd ?? []))].slice(0, 30);
}
