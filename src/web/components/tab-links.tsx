import { visibleText } from "../../shown/visible-text.ts";
import { Link } from "../shell/link.tsx";
import "./tabs.css";

/** The parts of a page as underlined tabs; 1, 2, 3… open them. */
export function TabLinks<T extends string>({
  label,
  tabs,
  current,
  href,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [T, string])[];
  readonly current: T;
  readonly href: (tab: T) => string;
}) {
  return (
    <nav className="tab-links" aria-label={label}>
      {tabs.map(([tab, name], at) => (
        <Link
          key={tab}
          href={href(tab)}
          data-key={String(at + 1)}
          aria-current={tab === current ? "page" : undefined}
        >
          {visibleText(name)}
        </Link>
      ))}
    </nav>
  );
}
