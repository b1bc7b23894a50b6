import { closestWord } from "../../shown/did-you-mean.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "./link.tsx";
import { MENU } from "./menu.ts";
import "../styles/lists.css";

/** Shown for an unknown path, with the closest page. */
export function PageNotFound({ path }: { readonly path: string }) {
  const { pages, notFound } = useStrings();
  const hrefs = MENU.map(({ href }) => href);
  const nearest = closestWord(`/${path.split("/")[1] ?? ""}`, hrefs);
  const suggestion = MENU.find(({ href }) => href === nearest);
  return (
    <section className="nothing">
      <h1>{pages.unknown}</h1>
      <p className="muted">
        {fill(notFound.page, { path: visibleText(path) })}{" "}
        {suggestion !== undefined && (
          <>
            {notFound.didYouMean} <Link href={suggestion.href}>{pages[suggestion.key]}</Link>
          </>
        )}
      </p>
      <p className="ways">
        <Link className="button primary" href="/">
          {pages.now}
        </Link>
        <Link className="button" href="/sessions">
          {pages.sessions}
        </Link>
        <Link className="button" href="/search">
          {pages.search}
        </Link>
      </p>
    </section>
  );
}
