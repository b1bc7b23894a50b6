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
export function planWords(asked: readonly TermCount[], bounds: PlanBounds): WordPlan {
  const terms = asked.filter(({ documents }) => documents > 0);
  const missing = asked.filter(({ documents }) => documents === 0);
  const plan = planFound(terms.length === 0 ? asked : terms, bounds);
  // Terms that no document contains count as unmatched, or one word of many would score as a full match.
  return terms.length === 0
    ? plan
    : { ...plan, maxScore: plan.maxScore + FULL * weigh(missing, bounds.total) };
}

function planFound(terms: readonly TermCount[], bounds: PlanBounds): WordPlan {
  const { total, share, isUncapped } = bounds;
  const rarest = terms.toSorted((a, b) => a.documents - b.documents);
  // bm25 gives no weight to a word in half of all documents: it only finds what nothing else does.
  const telling = rarest.filter(
    ({ documents }, index) => index === 0 || total <= FEW || documents <= total / 2,
  );
  const room = roomFor(total) / Math.max(share, 1e-6);
  if (isUncapped || total <= FEW || sum(telling) <= room)
    return { expression: or(telling), maxScore: FULL * weigh(telling, total), newestShare: null };
  const alone = leading(telling, room);
  const frequent = telling.slice(alone.length);
  const pairs = pairUp(frequent, total, Math.max(room - sum(alone), room / 2), POSTINGS - 2 * sum(alone));
  const finders = [...alone.map(({ expression }) => expression), ...pairs.map(toAnd)];
  if (finders.length === 0) return newestOf(frequent, total, room);
  const used = new Set([...alone, ...pairs.flat()]);
  const others = telling.filter((term) => !used.has(term));
  const ranking = [...used, ...leading(others, POSTINGS - 2 * sum(alone) - 2 * sum(pairs.flat()))];
  // The second half looks frequent words up in what the first found, instead of scanning their lists.
  return {
    expression: `(${finders.join(" OR ")}) AND (${or(ranking)})`,
    maxScore: FULL * weigh([...alone, ...pairs.flat(), ...ranking], total),
    newestShare: null,
  };
}

interface PlanBounds {
  readonly total: number;
  readonly share: number;
  readonly isUncapped: boolean;
}

/** Up to this many can all be ranked. */
const FEW = 20_000;

/** Approximate maximum of ranked documents: 8 to 30 ms. */
function roomFor(total: number): number {
  return Math.max(8_000, Math.min(20_000, total / 12));
}

/** Posting list entries to scan for finding and weighing: 50 ns each. */
const POSTINGS = 500_000;

/** What a term scores once in the title of an average document, out of the most it can score. */
const FULL = 1.6;

/** Even the rarest term is frequent: search for the two rarest together, among the newest documents. */
function newestOf(frequent: readonly TermCount[], total: number, room: number): WordPlan {
  const both = frequent.slice(0, 2);
  const found = both.length === 2 ? together(both[0]!, both[1]!, total) : both[0]!.documents;
  return {
    expression: both.map(({ expression }) => expression).join(" AND "),
    maxScore: FULL * weigh(both, total),
    newestShare: found <= room ? null : room / found,
  };
}

function leading(terms: readonly TermCount[], room: number): TermCount[] {
  let found = 0;
  return terms.filter((term) => {
    found += term.documents;
    return found <= room;
  });
}

function pairUp(
  terms: readonly TermCount[],
  total: number,
  room: number,
  postings: number,
): [TermCount, TermCount][] {
  const pairs: [TermCount, TermCount][] = [];
  let [roomLeft, postingsLeft] = [room, postings];
  for (let second = 1; second < terms.length; second++) {
    for (let first = 0; first < second; first++) {
      const [a, b] = [terms[first]!, terms[second]!];
      roomLeft -= together(a, b, total);
      postingsLeft -= 2 * (a.documents + b.documents);
      if (roomLeft < 0 || postingsLeft < 0) return pairs;
      pairs.push([a, b]);
    }
  }
  return pairs;
}

/** Assumes that they are independent. */
function together(a: TermCount, b: TermCount, total: number): number {
  return (a.documents * b.documents) / total;
}

function toAnd([a, b]: readonly [TermCount, TermCount]): string {
  return `(${a.expression} AND ${b.expression})`;
}

function or(terms: readonly TermCount[]): string {
  return terms.map(({ expression }) => expression).join(" OR ");
}

function sum(terms: readonly TermCount[]): number {
  return terms.reduce((documents, term) => documents + term.documents, 0);
}

/** As FTS5 computes it. */
function weigh(terms: readonly TermCount[], total: number): number {
  return terms.reduce(
    (weight, { documents }) =>
      weight + Math.max(1e-6, Math.log((total - documents + 0.5) / (documents + 0.5))),
    0,
  );
}
