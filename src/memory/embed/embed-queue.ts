/** One call of `embed`, processed in chunks. */
export interface EmbedJob {
  readonly texts: readonly string[];
  readonly isBackground: boolean;
  readonly vectors: Float32Array[];
  done: number;
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

const MAX_CHUNK_TEXTS = 16;
/** About 256 tokens, the most read of one text: 50 ms on one core, the longest a query has to wait. */
const MAX_CHUNK_CHARS = 1_024;

/** Queries come before everything else, in order of arrival. */
export function nextJob(jobs: readonly EmbedJob[]): EmbedJob | undefined {
  return jobs.find((job) => !job.isBackground) ?? jobs[0];
}

/** A job's next texts: few enough that a query does not wait long behind them. */
export function nextTexts(job: EmbedJob): string[] {
  const texts: string[] = [];
  let chars = 0;
  for (const text of job.texts.slice(job.done, job.done + MAX_CHUNK_TEXTS)) {
    chars += text.length;
    if (texts.length > 0 && chars > MAX_CHUNK_CHARS) break;
    texts.push(text);
  }
  return texts;
}
