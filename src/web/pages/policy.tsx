import { useState } from "react";
import type { PolicyReport, VerdictsAnswer } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { get } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { Tabs } from "../components/tabs.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { JudgedList } from "../policy/judged-list.tsx";
import { RecipeList } from "../policy/recipe-list.tsx";
import { Replay } from "../policy/replay.tsx";
import { RulesInForce } from "../policy/rules-in-force.tsx";
import { TrustCheck } from "../policy/trust-check.tsx";
import { TryRequest } from "../policy/try-request.tsx";
import { type RulesDraft, useRulesDraft } from "../policy/use-rules-draft.ts";
import { useRoute } from "../shell/router.ts";
import "../styles/lists.css";
import "../settings/settings.css";
import "../policy/policy.css";
import "../policy/rule-parts.css";

const TABS = ["now", "history", "recipes", "trust"] as const;

/** The rules in force, recent verdicts, and what other rules would change. */
export function PolicyPage() {
  const { policy: strings, pages, app } = useStrings();
  const { query } = useRoute();
  const tab = TABS.find((name) => name === query.get("tab")) ?? "now";
  const [response, refetch] = useFetch<PolicyReport>("/api/policy");
  const [changed, setChanged] = useState<PolicyReport | null>(null);
  const report = changed ?? lastValue(response);
  const reload = (): void => {
    get<PolicyReport>("/api/policy").then(setChanged, refetch);
  };
  return (
    <div className="policy-page">
      <header>
        <h1>{pages.policy}</h1>
        <Tabs
          label={strings.sections}
          tabs={TABS.map((key) => [key, strings.tabs[key]])}
          current={tab}
          hrefOf={(key) => (key === "now" ? "/policy" : `/policy?tab=${key}`)}
          panel="policy-panel"
        />
      </header>
      {response.type === "failed" && (
        <p className="error-text" role="alert">
          {fill(app.failed, { why: visibleText(response.error.message) })}{" "}
          <button type="button" className="button small" onClick={refetch}>
            {app.tryAgain}
          </button>
        </p>
      )}
      <div id="policy-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "trust" && <TrustCheck />}
        {report === null ? (
          tab !== "trust" && response.type === "loading" && <p className="muted">{app.loading}</p>
        ) : (
          <Tab tab={tab} report={report} onReport={setChanged} onReload={reload} />
        )}
      </div>
    </div>
  );
}

function Tab({
  tab,
  report,
  onReport,
  onReload,
}: {
  readonly tab: (typeof TABS)[number];
  readonly report: PolicyReport;
  readonly onReport: (report: PolicyReport) => void;
  readonly onReload: () => void;
}) {
  const draft = useRulesDraft(report, { onSaved: onReport, onDiscard: onReload });
  switch (tab) {
    case "now":
      return <RulesTab report={report} draft={draft} />;
    case "history":
      return <Replay draft={draft} file={report.file} />;
    case "recipes":
      return <RecipeList recipes={report.recipes} onChanged={onReport} />;
    case "trust":
      // Stays mounted, because it holds the unsaved rules.
      return null;
    default:
      return tab satisfies never;
  }
}

function RulesTab({ report, draft }: { readonly report: PolicyReport; readonly draft: RulesDraft }) {
  const { policy: strings } = useStrings();
  const [response] = useFetch<VerdictsAnswer>("/api/verdicts?limit=30");
  const verdicts = lastValue(response)?.verdicts;
  return (
    <div className="policy-columns">
      <RulesInForce report={report} draft={draft} />
      <div className="beside">
        <TryRequest />
        <section aria-labelledby="verdicts">
          <h2 id="verdicts">{strings.verdicts}</h2>
          {verdicts !== undefined && verdicts.length > 0 ? (
            <JudgedList calls={verdicts} />
          ) : (
            response.type === "loaded" && <p className="muted">{strings.noVerdicts}</p>
          )}
          {response.type === "failed" && <p className="error-text">{visibleText(response.error.message)}</p>}
        </section>
      </div>
    </div>
  );
}
