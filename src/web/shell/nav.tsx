import { useState } from "react";
import { Icon } from "../components/icon.tsx";
import { useStrings } from "../i18n/strings.ts";
import { Dialog } from "./dialog.tsx";
import { Link } from "./link.tsx";
import { MENU } from "./menu.ts";
import "./nav.css";

/** The side menu; on a phone a bottom bar with the `isNear` pages, and the rest behind its last item. */
export function Nav({ path, waiting }: { readonly path: string; readonly waiting: number }) {
  const strings = useStrings();
  const [isOpen, setOpen] = useState(false);
  const isMounted = (href: string): boolean => (href === "/" ? path === "/" : path.startsWith(href));
  const otherPages = MENU.filter(({ isNear }) => !isNear);
  const renderLink = ({ key, href, icon }: (typeof MENU)[number], onClick?: () => void) => (
    <Link
      href={href}
      className={isMounted(href) ? "here" : ""}
      aria-current={isMounted(href) ? "page" : undefined}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span className="cut">{key === "steer" ? strings.pages.steerShort : strings.pages[key]}</span>
      {key === "now" && waiting > 0 && <span className="count">{waiting}</span>}
    </Link>
  );
  return (
    <nav className="menu" aria-label={strings.app.menu}>
      <Link href="/" className="brand">
        <img src="/icon.svg" alt="" width="22" height="22" />
        <span>{strings.app.name}</span>
      </Link>
      <ul>
        {MENU.map((page) => (
          <li key={page.key} className={page.isNear ? page.key : "rest"}>
            {renderLink(page)}
          </li>
        ))}
        <li className="more">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            className={otherPages.some(({ href }) => isMounted(href)) ? "here" : ""}
            onClick={() => setOpen(true)}
          >
            <Icon name="more" />
            <span className="cut">{strings.app.more}</span>
          </button>
        </li>
      </ul>
      <Link href="/steer" className="button start">
        <Icon name="plus" />
        {strings.pages.steer}
      </Link>
      {isOpen && (
        <Dialog label={strings.app.menu} className="more-pages" onClose={() => setOpen(false)}>
          <ul>
            {otherPages.map((page) => (
              <li key={page.key}>{renderLink(page, () => setOpen(false))}</li>
            ))}
          </ul>
        </Dialog>
      )}
    </nav>
  );
}
