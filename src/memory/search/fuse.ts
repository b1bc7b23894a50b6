/** Merges word and vector results into one ranking. Pure. */
export interface Candidate {
  readonly doc: number;
  /** How much of the query its words match, 0 to 1; null: not found by words. */
  readonly wordScore: number | null;
  /** Cosine; null: it has no vector, or none was used. */
  readonly cosine: number | null;
  readonly hasPhrases: boolean;
  readonly createdMs: number;
  readonly isPinned: boolean;
  readonly isSameFile: boolean;
}

export interface Ranked extends Candidate {
  /** 0 to 1. */
  readonly score: number;
  readonly recency: number;
}

/**
 * `vectorShare` weighs the cosine against the word score; 0 if no vectors were used. Quoted phrases rank
 * first; of two equals the newer one does.
 */
export function fuse(
  candidates: readonly Candidate[],
  options: { readonly vectorShare: number; readonly nowMs: number },
): Ranked[] {
  return candidates
    .map((candidate) => {
      const recency = recencyOf(options.nowMs - candidate.createdMs);
      const relevance =
        options.vectorShare * Math.max(0, candidate.cosine ?? 0) +
        (1 - options.vectorShare) * (candidate.wordScore ?? 0);
      const boost =
        RECENCY_BOOST * recency +
        (candidate.isSameFile ? SAME_FILE_BOOST : 0) +
        (candidate.isPinned ? PINNED_BOOST : 0);
      return { ...candidate, recency, score: Math.min(1, relevance + boost) };
    })
    .sort(
      (a, b) =>
        Number(b.hasPhrases) - Number(a.hasPhrases) ||
        b.score - a.score ||
        b.createdMs - a.createdMs ||
        b.doc - a.doc,
    );
}

/** Measured (docs/decisions/0015): 0.75–0.9 are within a point; less loses paraphrases, more exact names. */
export const VECTOR_SHARE = 0.8;
/** For a script that the model was not trained on: vectors only break ties between words. */
export const CJK_VECTOR_SHARE = 0.15;

const RECENCY_BOOST = 0.02;
const SAME_FILE_BOOST = 0.08;
const PINNED_BOOST = 0.03;
const HALF_LIFE_MS = 30 * 24 * 3_600_000;

/** 1 for now, one half after thirty days. */
function recencyOf(ageMs: number): number {
  return 2 ** (-Math.max(0, ageMs) / HALF_LIFE_MS);
}
