import type { PolicyReport, VerdictsAnswer } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { JudgedList } from "../policy/judged-list.tsx";
import { RecipeList } from "../policy/recipe-list.tsx";
import { Replay } from "../policy/replay.tsx";
import { RulesInForce } from "../policy/rules-in-force.tsx";
import { TrustCheck } from "../policy/trust-check.tsx";
import { TryRequest } from "../policy/try-request.tsx";
import { Link } from "../shell/link.tsx";
import { useRoute } from "../shell/router.ts";
import "../styles/lists.css";
import "../policy/policy.css";
import "../policy/rule-parts.css";

const TABS = ["now", "history", "recipes", "trust"] as const;

/** What agents may do without asking, what was judged, and what other rules would change. */
export function PolicyPage() {
  const { policy: words, pages, app } = useStrings();
  const { query } = useRoute();
  const tab = TABS.find((known) => known === query.get("tab")) ?? "now";
  const [asked, again] = useFetch<PolicyReport>("/api/policy");
  const report = lastValue(asked);
  return (
    <div className="policy-page">
      <header className="page-head">
        <h1>{pages.policy}</h1>
        <nav className="tabs" aria-label={words.sections}>
          {TABS.map((key, at) => (
            <Link
              key={key}
              href={key === "now" ? "/policy" : `/policy?tab=${key}`}
              data-key={String(at + 1)}
              aria-current={key === tab ? "page" : undefined}
            >
              {words.tabs[key]}
            </Link>
          ))}
        </nav>
      </header>
      {asked.type === "failed" && (
        <p className="trouble" role="alert">
          {fill(app.failed, { why: visibleText(asked.error.message) })}{" "}
          <button type="button" className="button small" onClick={again}>
            {app.tryAgain}
          </button>
        </p>
      )}
      {tab === "trust" && <TrustCheck />}
      {report === null ? (
        tab !== "trust" && asked.type === "asking" && <p className="muted">{app.loading}</p>
      ) : tab === "now" ? (
        <InForce report={report} />
      ) : tab === "history" ? (
        <Replay report={report} onSaved={again} />
      ) : (
        tab === "recipes" && <RecipeList recipes={report.recipes} />
      )}
    </div>
  );
}

function InForce({ report }: { readonly report: PolicyReport }) {
  const { policy: words } = useStrings();
  const [asked] = useFetch<VerdictsAnswer>("/api/verdicts?limit=30");
  const verdicts = lastValue(asked)?.verdicts;
  return (
    <div className="policy-columns">
      <RulesInForce report={report} />
      <div className="beside">
        <TryRequest />
        <section aria-labelledby="verdicts">
          <h2 id="verdicts">{words.verdicts}</h2>
          {verdicts !== undefined && verdicts.length > 0 ? (
            <JudgedList calls={verdicts} />
          ) : (
            asked.type === "answered" && <p className="muted">{words.noVerdicts}</p>
          )}
          {asked.type === "failed" && <p className="trouble">{visibleText(asked.error.message)}</p>}
        </section>
      </div>
    </div>
  );
}
