import { type FormEvent, useEffect, useRef, useState } from "react";
import type { ClaudeReport, DrivenSession, StartInput, TrustReport } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { useStrings } from "../i18n/strings.ts";
import { go, useRoute } from "../shell/router.ts";
import { type Attachment, toImages } from "./attachments.tsx";
import { BillingPanel } from "./billing-panel.tsx";
import { FolderField } from "./folder-field.tsx";
import { MessageField } from "./message-field.tsx";
import { ModelPicker, ModePicker } from "./pickers.tsx";
import { refusalText } from "./refusal.ts";
import { needsTrustDecision, TrustStep } from "./trust-step.tsx";

const DEBOUNCE_MS = 350;

/** A new session: folder, task, permissions, budget, and who pays. */
export function StartForm() {
  const strings = useStrings();
  const { steer } = strings;
  const { query } = useRoute();
  const [cwd, setCwd] = useState(query.get("cwd") ?? "");
  const [prompt, setPrompt] = useState("");
  const [images, setImages] = useState<readonly Attachment[]>([]);
  const [mode, setMode] = useState("default");
  const [model, setModel] = useState("");
  const [budget, setBudget] = useState("");
  const [isSubscription, setSubscription] = useState(false);
  const [skipped, setSkipped] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const commandId = useRef<string>(crypto.randomUUID());

  const billing = isSubscription ? "?billing=subscription" : "";
  const [claudeResponse] = useFetch<ClaudeReport>(`/api/control/claude${billing}`);
  const folder = useDebounced(toFolder(cwd));
  const trustPath = folder.startsWith("/") ? `/api/control/trust?cwd=${encodeURIComponent(folder)}` : null;
  const [trustResponse, refetchTrust] = useFetch<TrustReport>(trustPath);
  const report = lastValue(claudeResponse);
  const trust = trustPath !== null && trustResponse.type === "loaded" ? trustResponse.value : null;
  const isSkipped = trust !== null && skipped === trust.hash;
  const isBlocked = trust !== null && needsTrustDecision(trust) && !isSkipped;

  const start = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setStarting(true);
    setError(null);
    const request: StartInput = {
      commandId: commandId.current,
      cwd: toFolder(cwd),
      mode: mode as StartInput["mode"],
      who: "browser",
      ...(prompt.trim() !== "" && { prompt, images: toImages(images) }),
      ...(model !== "" && { model }),
      ...(Number(budget) > 0 && { maxBudgetUsd: Number(budget) }),
      ...(isSubscription && { billing: "subscription" }),
    };
    try {
      const { sessionId } = await send<DrivenSession>("POST", "/api/control/sessions", request);
      go(`/steer/${sessionId}`);
    } catch (error) {
      commandId.current = crypto.randomUUID();
      setError(refusalText(error, strings));
      setStarting(false);
    }
  };

  return (
    <form className="start-form" onSubmit={start}>
      <FolderField
        cwd={cwd}
        onChange={(next) => {
          setCwd(next);
          setError(null);
        }}
      />
      {trust !== null && (
        <TrustStep
          report={trust}
          cwd={folder}
          isSkipped={isSkipped}
          onSkip={(skip) => setSkipped(skip ? trust.hash : null)}
          onApproved={refetchTrust}
        />
      )}
      <div className="form-row">
        <label htmlFor="steer-prompt">{steer.prompt}</label>
        <MessageField
          id="steer-prompt"
          className="field"
          rows={5}
          placeholder={steer.promptHint}
          text={prompt}
          onText={setPrompt}
          images={images}
          onImages={setImages}
          commands={[]}
          filesUrl={null}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit();
          }}
        />
      </div>
      <div className="form-columns">
        <div className="form-row">
          <label htmlFor="steer-mode">{steer.mode}</label>
          <ModePicker id="steer-mode" mode={mode} onPick={setMode} />
          <p className="muted hint">{steer.modeHint[mode as keyof typeof steer.modeHint]}</p>
        </div>
        <div className="form-row">
          <label htmlFor="steer-model">{steer.model}</label>
          <ModelPicker id="steer-model" model={model} onPick={setModel} />
        </div>
        <div className="form-row">
          <label htmlFor="steer-budget">{steer.budget}</label>
          <input
            id="steer-budget"
            className="field"
            type="number"
            inputMode="decimal"
            min="0.01"
            step="0.01"
            placeholder={steer.budgetHint}
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        </div>
      </div>
      {error !== null && (
        <p className="error-text" role="alert">
          {visibleText(error)}
        </p>
      )}
      {report !== null && (
        <BillingPanel report={report} isSubscription={isSubscription} onSubscription={setSubscription} />
      )}
      <div className="actions">
        <button
          type="submit"
          className="button primary"
          disabled={isStarting || isBlocked || report?.usable === false}
        >
          {isStarting ? steer.starting : steer.start}
        </button>
      </div>
    </form>
  );
}

/** The value after a pause in typing. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/** Removes the trailing slash of a completed path. */
function toFolder(typed: string): string {
  return typed.trim().replace(/(?<=.)\/+$/, "");
}
