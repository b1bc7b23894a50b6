/** A term as FTS5 takes it, and about how many documents have it. */
export interface TermCount {
  readonly expression: string;
  readonly documents: number;
}

export interface WordPlan {
  readonly expression: string;
  /** The score of a document that has all of it. */
  readonly most: number;
  /** Only the newest documents are looked at, this share of them; null: all. */
  readonly newest: number | null;
}

/**
 * Which terms find, and which only rank what was found. Ranking a document costs about a microsecond, so that frequent
 * words, which tell least, would cost the most. While few documents have any of the terms, each finds. Else the rare
 * ones find alone, frequent ones find in pairs, and the rest only ranks. `share` is the part of all documents that a
 * filter leaves.
 */
export function planWords(asked: readonly TermCount[], bounds: PlanBounds): WordPlan {
  const terms = asked.filter(({ documents }) => documents > 0);
  const missing = asked.filter(({ documents }) => documents === 0);
  const plan = planFound(terms.length === 0 ? asked : terms, bounds);
  // What nobody has counts as not found: else one word of many would make a whole.
  return terms.length === 0 ? plan : { ...plan, most: plan.most + FULL * weigh(missing, bounds.total) };
}

function planFound(terms: readonly TermCount[], bounds: PlanBounds): WordPlan {
  const { total, share, isUncapped } = bounds;
  const rarest = terms.toSorted((a, b) => a.documents - b.documents);
  // bm25 gives a word that half of all have no weight at all: it can only find what nothing else does.
  const telling = rarest.filter(
    ({ documents }, index) => index === 0 || total <= FEW || documents <= total / 2,
  );
  const room = roomFor(total) / Math.max(share, 1e-6);
  if (isUncapped || total <= FEW || sum(telling) <= room)
    return { expression: or(telling), most: FULL * weigh(telling, total), newest: null };
  const alone = leading(telling, room);
  const frequent = telling.slice(alone.length);
  const pairs = pairUp(frequent, total, Math.max(room - sum(alone), room / 2), POSTINGS - 2 * sum(alone));
  const finders = [...alone.map(({ expression }) => expression), ...pairs.map(toAnd)];
  if (finders.length === 0) return newestOf(frequent, total, room);
  const used = new Set([...alone, ...pairs.flat()]);
  const others = telling.filter((term) => !used.has(term));
  const ranking = [...used, ...leading(others, POSTINGS - 2 * sum(alone) - 2 * sum(pairs.flat()))];
  // In the second half, frequent words are looked up where the first found something, not gone through.
  return {
    expression: `(${finders.join(" OR ")}) AND (${or(ranking)})`,
    most: FULL * weigh([...alone, ...pairs.flat(), ...ranking], total),
    newest: null,
  };
}

interface PlanBounds {
  readonly total: number;
  readonly share: number;
  readonly isUncapped: boolean;
}

/** So many can all be ranked. */
const FEW = 20_000;

/** Documents that are ranked at the most, about: 8 to 30 ms. */
function roomFor(total: number): number {
  return Math.max(8_000, Math.min(20_000, total / 12));
}

/** Entries of words' lists that are gone through, for finding and for weighing: 50 ns each. */
const POSTINGS = 500_000;

/** What a term gives that a document of usual length has once in its title, of what it can give at the most. */
const FULL = 1.6;

/** Even the rarest is frequent: what has the two rarest, among the newest. */
function newestOf(frequent: readonly TermCount[], total: number, room: number): WordPlan {
  const both = frequent.slice(0, 2);
  const found = both.length === 2 ? together(both[0]!, both[1]!, total) : both[0]!.documents;
  return {
    expression: both.map(({ expression }) => expression).join(" AND "),
    most: FULL * weigh(both, total),
    newest: found <= room ? null : room / found,
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

/** As if they had nothing to do with each other. */
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

/** As FTS5 reckons it. */
function weigh(terms: readonly TermCount[], total: number): number {
  return terms.reduce(
    (weight, { documents }) =>
      weight + Math.max(1e-6, Math.log((total - documents + 0.5) / (documents + 0.5))),
    0,
  );
}
