import { useState } from "react";
import type { TrustReport } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { CodeText } from "../components/code-text.tsx";
import { daemonText } from "../i18n/daemon-text.ts";
import { useStrings } from "../i18n/strings.ts";
import { refusalText } from "./refusal.ts";

/** Whether a person must decide about a folder's files before a session runs in it. */
export function needsTrustDecision({ hash, trusted }: TrustReport): boolean {
  return hash !== null && !trusted;
}

/** Lists what in a folder would run or loosen rules, to approve or skip. */
export function TrustStep({
  report,
  cwd,
  isSkipped,
  onSkip,
  onApproved,
}: {
  readonly report: TrustReport;
  readonly cwd: string;
  readonly isSkipped: boolean;
  readonly onSkip: (skip: boolean) => void;
  readonly onApproved: () => void;
}) {
  const strings = useStrings();
  const { steer } = strings;
  const [error, setError] = useState<string | null>(null);
  if (!needsTrustDecision(report)) return report.trusted ? <p className="muted">✓ {steer.trusted}</p> : null;
  const approve = async (): Promise<void> => {
    setError(null);
    await send("POST", "/api/control/trust", { cwd, hash: report.hash }).catch((error: unknown) =>
      setError(refusalText(error, strings)),
    );
    onApproved();
  };
  if (isSkipped)
    return (
      <p className="muted trust-skipped">
        {steer.trustSkipped}{" "}
        <button type="button" className="button bare" onClick={() => onSkip(false)}>
          {strings.app.cancel}
        </button>
      </p>
    );
  return (
    <section className="trust-step panel" aria-labelledby="trust-step">
      <h2 id="trust-step">◆ {steer.trustTitle}</h2>
      {report.changed && <p className="error-text">{steer.trustChanged}</p>}
      <p className="muted">{steer.trustInstructions}</p>
      {report.items.map(({ file, kind, lines, problem }) => (
        <div key={`${kind} ${file}`} className="trust-item">
          <h3>
            <code>{visibleText(file)}</code> <span className="muted">{kind}</span>
          </h3>
          {lines.length > 0 && <CodeText text={lines.map(daemonText).join("\n")} lines={40} />}
          {problem !== null && <p className="error-text">{visibleText(problem)}</p>}
        </div>
      ))}
      <div className="actions">
        <button type="button" className="button primary" onClick={approve}>
          {steer.trustApprove}
        </button>
        <button type="button" className="button" onClick={() => onSkip(true)}>
          {steer.trustSkip}
        </button>
      </div>
      {error !== null && (
        <p className="error-text" role="alert">
          {visibleText(error)}
        </p>
      )}
    </section>
  );
}
