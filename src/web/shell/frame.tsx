import { type ReactNode, useEffect } from "react";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { needsYou } from "../parts/standing.ts";
import { useWords } from "../words/words.ts";
import { Keys } from "./keys.tsx";
import { Link } from "./link.tsx";
import { MENU } from "./menu.ts";
import { usePlace } from "./router.ts";
import { Strip } from "./strip.tsx";
import { setTabCount } from "./tab.ts";
import "./frame.css";

export function Frame({ children }: { readonly children: ReactNode }) {
  const words = useWords();
  const { path } = usePlace();
  const { sessions, connection } = useStore(live);
  const waiting = [...sessions.values()].filter(needsYou).length;
  useEffect(() => setTabCount(waiting), [waiting]);
  const isHere = (href: string): boolean => (href === "/" ? path === "/" : path.startsWith(href));
  return (
    <div className={`frame ${connection === "lost" ? "stale" : ""}`}>
      <a className="skip" href="#content">
        {words.app.skip}
      </a>
      <nav aria-label={words.app.menu}>
        <Link href="/" className="brand">
          <img src="/icon.svg" alt="" width="22" height="22" />
          <span>{words.app.name}</span>
        </Link>
        <ul>
          {MENU.map(({ key, href, icon }) => (
            <li key={key}>
              <Link
                href={href}
                className={isHere(href) ? "here" : ""}
                aria-current={isHere(href) ? "page" : undefined}
              >
                <span className="icon" aria-hidden="true">
                  {icon}
                </span>
                <span>{words.pages[key]}</span>
                {key === "now" && waiting > 0 && <span className="count">{waiting}</span>}
              </Link>
            </li>
          ))}
        </ul>
        <Link href="/steer" className="button start">
          {words.pages.steer}
        </Link>
      </nav>
      <Strip />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Keys />
    </div>
  );
}
