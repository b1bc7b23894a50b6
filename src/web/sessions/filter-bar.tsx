import { shortModelName } from "../../agents/model-name.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import type { SessionGroup } from "../../shown/session-groups.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { hintScroll } from "../components/hint-scroll.ts";
import { Icon } from "../components/icon.tsx";
import { SESSION_GROUPS } from "../components/session-group-order.ts";
import { baseName } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import { type SessionFilter, SINCE, type Since, SORTS, type Sort } from "./session-filter.ts";

/** The filters of the list. All of them are stored in the URL. */
export function FilterBar({
  filter,
  counts,
  sessions,
  onChange,
}: {
  readonly filter: SessionFilter;
  readonly counts: Readonly<Record<SessionGroup, number>>;
  readonly sessions: readonly SessionSnapshot[];
  readonly onChange: (change: Partial<SessionFilter>) => void;
}) {
  const { sessions: strings } = useStrings();
  const projects = valuesOf(sessions, filter.project, ({ projectPath }) => projectPath);
  const models = valuesOf(sessions, filter.model, ({ model }) => model && shortModelName(model));
  const toggle = (group: SessionGroup): void =>
    onChange({
      show: filter.show.includes(group)
        ? filter.show.filter((other) => other !== group)
        : [...filter.show, group],
    });
  return (
    <search className="filter-bar">
      <div className="fields">
        <input
          className="field text"
          type="search"
          data-key="/"
          aria-label={strings.filter}
          placeholder={strings.filter}
          value={filter.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
        <div className="choices" ref={hintScroll}>
          <select
            className="field"
            aria-label={strings.project}
            value={filter.project ?? ""}
            onChange={(event) => onChange({ project: event.target.value || null })}
          >
            <option value="">{strings.anyProject}</option>
            {projects.map((project) => (
              <option key={project} value={project}>
                {visibleText(baseName(project))}
              </option>
            ))}
          </select>
          <select
            className="field"
            aria-label={strings.model}
            value={filter.model ?? ""}
            onChange={(event) => onChange({ model: event.target.value || null })}
          >
            <option value="">{strings.anyModel}</option>
            {models.map((model) => (
              <option key={model} value={model}>
                {visibleText(model)}
              </option>
            ))}
          </select>
          <select
            className="field"
            aria-label={strings.time}
            value={filter.since}
            onChange={(event) => onChange({ since: event.target.value as Since })}
          >
            {(Object.keys(SINCE) as Since[]).map((since) => (
              <option key={since} value={since}>
                {strings.since[since]}
              </option>
            ))}
          </select>
          <select
            className="field sort"
            aria-label={strings.sort}
            value={filter.sort}
            onChange={(event) => onChange({ sort: event.target.value as Sort, isAscending: false })}
          >
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {strings.col[sort]}
              </option>
            ))}
          </select>
        </div>
      </div>
      <fieldset className="chips" ref={hintScroll}>
        <legend className="sr-only">{strings.states}</legend>
        <button
          type="button"
          className="chip"
          aria-pressed={filter.show.length === 0}
          onClick={() => onChange({ show: [] })}
        >
          {strings.all}
        </button>
        {SESSION_GROUPS.map((group) => (
          <button
            key={group}
            type="button"
            className={`chip ${group === "needYou" && counts.needYou > 0 ? "asks" : ""}`}
            aria-pressed={filter.show.includes(group)}
            onClick={() => toggle(group)}
          >
            {strings.group[group]} <span className="chip-count">{counts[group]}</span>
          </button>
        ))}
        <button
          type="button"
          className="chip"
          aria-pressed={filter.isStarred}
          onClick={() => onChange({ isStarred: !filter.isStarred })}
        >
          <Icon name="starred" /> {strings.starred}
        </button>
      </fieldset>
    </search>
  );
}

/** The distinct values, always including the selected one. */
function valuesOf(
  sessions: readonly SessionSnapshot[],
  selected: string | null,
  value: (session: SessionSnapshot) => string | null,
): string[] {
  const all = new Set(sessions.map(value));
  all.add(selected);
  all.delete(null);
  return ([...all] as string[]).sort((a, b) => baseName(a).localeCompare(baseName(b)));
}
