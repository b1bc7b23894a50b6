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
  /** Applies a change to the draft; returns what is wrong with it, if anything, and then changes nothing. */
  change(change: RuleChange): Promise<RuleProblems>;
  setText(text: string): void;
  save(): Promise<void>;
  discard(): void;
}

interface Edited {
  /** The file's text when editing began. */
  readonly was: string | null;
  readonly shown: RulesPreview;
}

const QUIET_MS = 250;
const IDLE: SaveState = { isBusy: false, isStale: false, isSaved: false, error: null };

/** Edits of the rules file that are not saved yet. The daemon applies and checks each of them. */
export function useRulesDraft(
  report: PolicyReport,
  {
    onSaved,
    onDiscard,
  }: { readonly onSaved: (report: PolicyReport) => void; readonly onDiscard: () => void },
): RulesDraft {
  const [edited, setEdited] = useState<Edited | null>(null);
  const [state, setState] = useState(IDLE);
  const was = edited === null ? report.text : edited.was;
  const shown = edited?.shown ?? { ...report, text: report.text ?? "" };
  useCheckedText(edited, setEdited);
  return {
    ...shown,
    ...state,
    isChanged: edited !== null && shown.text !== (was ?? ""),
    async change(change) {
      const preview = await send<RulesPreview>("POST", "/api/rules/preview", { text: shown.text, change });
      if (preview.problems.length > 0) return preview.problems;
      setEdited({ was, shown: preview });
      setState(IDLE);
      return [];
    },
    setText(text) {
      setEdited({ was, shown: { ...shown, text } });
      setState(IDLE);
    },
    async save() {
      setState({ ...IDLE, isBusy: true });
      try {
        onSaved(await send<PolicyReport>("PUT", "/api/rules", { text: shown.text, was }));
        setEdited(null);
        setState({ ...IDLE, isSaved: true });
      } catch (error) {
        const isStale = error instanceof ApiError && error.code === "rules_changed";
        setState({ ...IDLE, isStale, error: (error as Error).message });
      }
    },
    discard() {
      setEdited(null);
      setState(IDLE);
      onDiscard();
    },
  };
}

/** Has a text that was typed checked when typing pauses. */
function useCheckedText(
  edited: Edited | null,
  setEdited: (next: (before: Edited | null) => Edited | null) => void,
): void {
  const text = edited?.shown.text;
  useEffect(() => {
    if (text === undefined) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      send<RulesPreview>("POST", "/api/rules/preview", { text }).then(
        (shown) =>
          !stop.signal.aborted &&
          setEdited((before) => (before?.shown.text === text ? { ...before, shown } : before)),
        // Saving reports it.
        () => undefined,
      );
    }, QUIET_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [text, setEdited]);
}
