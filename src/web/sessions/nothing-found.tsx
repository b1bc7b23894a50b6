import { visibleText } from "../../shown/visible-text.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { type SessionFilter, toHref } from "./session-filter.ts";

/** The active parts of the filter, each removable. */
export function NothingFound({
  filter,
  isEmpty,
}: {
  readonly filter: SessionFilter;
  readonly isEmpty: boolean;
}) {
  const { sessions: strings } = useStrings();
  if (isEmpty) return <p className="nothing muted">{strings.empty}</p>;
  const parts: (readonly [string, Partial<SessionFilter>])[] = [
    ...(filter.text === "" ? [] : [[`“${filter.text}”`, { text: "" }] as const]),
    ...filter.show.map(
      (group) => [strings.group[group], { show: filter.show.filter((other) => other !== group) }] as const,
    ),
    ...(filter.project === null ? [] : [[baseName(filter.project), { project: null }] as const]),
    ...(filter.model === null ? [] : [[filter.model, { model: null }] as const]),
    ...(filter.isStarred ? [[strings.starred, { isStarred: false }] as const] : []),
    ...(filter.since === "any" ? [] : [[strings.since[filter.since], { since: "any" }] as const]),
  ];
  return (
    <div className="nothing">
      <p>{fill(strings.nothing, { filters: parts.map(([name]) => visibleText(name)).join(" · ") })}</p>
      <p className="ways">
        <Link className="button primary" href="/sessions">
          {strings.clear}
        </Link>
        {parts.length > 1 &&
          parts.map(([name, without]) => (
            <Link key={name} className="button" href={toHref({ ...filter, ...without })}>
              {fill(strings.withoutFilter, { filter: visibleText(name) })}
            </Link>
          ))}
      </p>
    </div>
  );
}
