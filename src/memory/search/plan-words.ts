/** A term as an FTS5 expression, and about how many documents contain it. */
export interface TermCount {
  readonly expression: string;
  readonly documents: number;
}

export interface WordPlan {
  readonly expression: string;
  /** The score of a document that matches all of it. */
  readonly maxScore: number;
  /** Share of the documents to search, newest first; null: all. */
  readonly newestShare: number | null;
}

/**
 * Decides which terms find documents and which only rank them. Ranking a document costs about a microsecond,
 * so frequent words, the least informative, would cost the most. While few documents contain any of the
 * terms, each finds. Otherwise rare ones find alone, frequent ones in pairs, and the rest only rank. `share`
 * is the fraction of all documents that passes the filter.
 */
export function planWords(allTerms: readonly TermCount[], bounds: PlanBounds): WordPlan {
  const terms = allTerms.filter(({ documents }) => documents > 0);
  const missing = allTerms.filter(({ documents }) => documents === 0);
  const plan = planFound(terms.length === 0 ? allTerms : terms, bounds);
  // Terms that no document contains count as unmatched, or one word of many would score as a full match.
  return terms.length === 0
    ? plan
    : { ...plan, maxScore: plan.maxScore + TITLE_SCORE_FACTOR * idfSum(missing, bounds.total) };
}

function planFound(terms: readonly TermCount[], bounds: PlanBounds): WordPlan {
  const { total, share, isUncapped } = bounds;
  const rarest = terms.toSorted((a, b) => a.documents - b.documents);
  // bm25 gives no weight to a word in half of all documents: it only finds what nothing else does.
  const informative = rarest.filter(
    ({ documents }, index) => index === 0 || total <= ALWAYS_RANKED_DOCUMENTS || documents <= total / 2,
  );
  const maxRanked = maxRankedFor(total) / Math.max(share, 1e-6);
  if (isUncapped || total <= ALWAYS_RANKED_DOCUMENTS || countDocuments(informative) <= maxRanked)
    return {
      expression: orExpression(informative),
      maxScore: TITLE_SCORE_FACTOR * idfSum(informative, total),
      newestShare: null,
    };
  const leadingTerms = takeWhileFits(informative, maxRanked);
  const frequent = informative.slice(leadingTerms.length);
  const pairs = pairUp(
    frequent,
    total,
    Math.max(maxRanked - countDocuments(leadingTerms), maxRanked / 2),
    MAX_POSTINGS - 2 * countDocuments(leadingTerms),
  );
  const finders = [...leadingTerms.map(({ expression }) => expression), ...pairs.map(andExpression)];
  if (finders.length === 0) return newestOf(frequent, total, maxRanked);
  const usedTerms = new Set([...leadingTerms, ...pairs.flat()]);
  const others = informative.filter((term) => !usedTerms.has(term));
  const ranking = [
    ...usedTerms,
    ...takeWhileFits(
      others,
      MAX_POSTINGS - 2 * countDocuments(leadingTerms) - 2 * countDocuments(pairs.flat()),
    ),
  ];
  // The second half looks frequent words up in what the first found, instead of scanning their lists.
  return {
    expression: `(${finders.join(" OR ")}) AND (${orExpression(ranking)})`,
    maxScore: TITLE_SCORE_FACTOR * idfSum([...leadingTerms, ...pairs.flat(), ...ranking], total),
    newestShare: null,
  };
}

interface PlanBounds {
  readonly total: number;
  readonly share: number;
  readonly isUncapped: boolean;
}

/** Up to this many documents are all ranked. */
const ALWAYS_RANKED_DOCUMENTS = 20_000;

/** Approximate maximum of ranked documents: 8 to 30 ms. */
function maxRankedFor(total: number): number {
  return Math.max(8_000, Math.min(20_000, total / 12));
}

/** Posting list entries to scan for finding and weighing: 50 ns each. */
const MAX_POSTINGS = 500_000;

/** What a term scores once in the title of an average document, out of the most it can score. */
const TITLE_SCORE_FACTOR = 1.6;

/** Even the rarest term is frequent: search for the two rarest together, among the newest documents. */
function newestOf(frequent: readonly TermCount[], total: number, maxRanked: number): WordPlan {
  const rarestTwo = frequent.slice(0, 2);
  const found =
    rarestTwo.length === 2 ? expectedPairCount(rarestTwo[0]!, rarestTwo[1]!, total) : rarestTwo[0]!.documents;
  return {
    expression: rarestTwo.map(({ expression }) => expression).join(" AND "),
    maxScore: TITLE_SCORE_FACTOR * idfSum(rarestTwo, total),
    newestShare: found <= maxRanked ? null : maxRanked / found,
  };
}

function takeWhileFits(terms: readonly TermCount[], maxRanked: number): TermCount[] {
  let found = 0;
  return terms.filter((term) => {
    found += term.documents;
    return found <= maxRanked;
  });
}

function pairUp(
  terms: readonly TermCount[],
  total: number,
  maxRanked: number,
  postings: number,
): [TermCount, TermCount][] {
  const pairs: [TermCount, TermCount][] = [];
  let [rankedLeft, postingsLeft] = [maxRanked, postings];
  for (let second = 1; second < terms.length; second++) {
    for (let first = 0; first < second; first++) {
      const [a, b] = [terms[first]!, terms[second]!];
      rankedLeft -= expectedPairCount(a, b, total);
      postingsLeft -= 2 * (a.documents + b.documents);
      if (rankedLeft < 0 || postingsLeft < 0) return pairs;
      pairs.push([a, b]);
    }
  }
  return pairs;
}

/** Expected number of documents that contain both, if they are independent. */
function expectedPairCount(a: TermCount, b: TermCount, total: number): number {
  return (a.documents * b.documents) / total;
}

function andExpression([a, b]: readonly [TermCount, TermCount]): string {
  return `(${a.expression} AND ${b.expression})`;
}

function orExpression(terms: readonly TermCount[]): string {
  return terms.map(({ expression }) => expression).join(" OR ");
}

function countDocuments(terms: readonly TermCount[]): number {
  return terms.reduce((documents, term) => documents + term.documents, 0);
}

/** The sum of inverse document frequencies, as FTS5 computes it. */
function idfSum(terms: readonly TermCount[], total: number): number {
  return terms.reduce(
    (weight, { documents }) =>
      weight + Math.max(1e-6, Math.log((total - documents + 0.5) / (documents + 0.5))),
    0,
  );
}
