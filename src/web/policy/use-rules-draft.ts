import { useEffect, useState } from "react";
import type { PolicyReport, RuleChange, RulesPreview } from "../../serve/policy-contract.ts";
import { ApiError, send } from "../api/client.ts";

export type RuleProblems = RulesPreview["problems"];

interface SaveState {
  readonly isBusy: boolean;
  /** The file on disk is no longer the one that was edited. */
  readonly isStale: boolean;
  readonly isSaved: boolean;
  readonly error: string | null;
}

export interface RulesDraft extends RulesPreview, SaveState {
  /** Differs from the file as it was read. */
  readonly isChanged: boolean;
  /** Applies a change to the draft. If it is invalid, returns the problems and changes nothing. */
  change(change: RuleChange): Promise<RuleProblems>;
  setText(text: string): void;
  save(): Promise<void>;
  discard(): void;
}

interface Edit {
  /** The file's text when editing began. */
  readonly base: string | null;
  readonly preview: RulesPreview;
}

const DEBOUNCE_MS = 250;
const IDLE: SaveState = { isBusy: false, isStale: false, isSaved: false, error: null };

/** Unsaved edits of the rules file. The daemon applies and checks each edit. */
export function useRulesDraft(
  report: PolicyReport,
  {
    onSaved,
    onDiscard,
  }: { readonly onSaved: (report: PolicyReport) => void; readonly onDiscard: () => void },
): RulesDraft {
  const [edit, setEdit] = useState<Edit | null>(null);
  const [state, setState] = useState(IDLE);
  const base = edit === null ? report.text : edit.base;
  const shown = edit?.preview ?? { ...report, text: report.text ?? "" };
  useTextCheck(edit, setEdit);
  return {
    ...shown,
    ...state,
    isChanged: edit !== null && shown.text !== (base ?? ""),
    async change(change) {
      const preview = await send<RulesPreview>("POST", "/api/rules/preview", { text: shown.text, change });
      if (preview.problems.length > 0) return preview.problems;
      setEdit({ base, preview });
      setState(IDLE);
      return [];
    },
    setText(text) {
      setEdit({ base, preview: { ...shown, text } });
      setState(IDLE);
    },
    async save() {
      setState({ ...IDLE, isBusy: true });
      try {
        onSaved(await send<PolicyReport>("PUT", "/api/rules", { text: shown.text, was: base }));
        setEdit(null);
        setState({ ...IDLE, isSaved: true });
      } catch (error) {
        const isStale = error instanceof ApiError && error.code === "rules_changed";
        setState({ ...IDLE, isStale, error: (error as Error).message });
      }
    },
    discard() {
      setEdit(null);
      setState(IDLE);
      onDiscard();
    },
  };
}

/** Checks typed text when typing pauses. */
function useTextCheck(
  edit: Edit | null,
  setEdit: (next: (previous: Edit | null) => Edit | null) => void,
): void {
  const text = edit?.preview.text;
  useEffect(() => {
    if (text === undefined) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      send<RulesPreview>("POST", "/api/rules/preview", { text }).then(
        (preview) =>
          !controller.signal.aborted &&
          setEdit((previous) => (previous?.preview.text === text ? { ...previous, preview } : previous)),
        // Saving reports the error.
        () => undefined,
      );
    }, DEBOUNCE_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [text, setEdit]);
}
