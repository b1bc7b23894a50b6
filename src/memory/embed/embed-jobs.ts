import { type EmbedJob, nextJob } from "./embed-queue.ts";

/** The unfinished calls of `embed`. */
export interface EmbedJobs {
  /** One text is a query, more are background work. `vectors` resolves when all texts are embedded. */
  add(texts: readonly string[]): { readonly job: EmbedJob; readonly vectors: Promise<Float32Array[]> };
  next(): EmbedJob | undefined;
  isEmpty(): boolean;
  /** Adds the vectors of a job's next texts; the last ones complete it. */
  addVectors(job: EmbedJob, vectors: readonly Float32Array[]): void;
  drop(job: EmbedJob, error: unknown): void;
  dropAll(error: () => unknown): void;
}

export function createEmbedJobs(): EmbedJobs {
  const jobs: EmbedJob[] = [];

  function remove(job: EmbedJob): void {
    const at = jobs.indexOf(job);
    if (at !== -1) jobs.splice(at, 1);
  }

  function drop(job: EmbedJob, error: unknown): void {
    remove(job);
    job.reject(error);
  }

  return {
    add(texts) {
      const { promise: vectors, resolve, reject } = Promise.withResolvers<Float32Array[]>();
      const job: EmbedJob = {
        texts,
        isBackground: texts.length > 1,
        vectors: [],
        done: 0,
        resolve,
        reject,
      };
      jobs.push(job);
      return { job, vectors };
    },
    next: () => nextJob(jobs),
    isEmpty: () => jobs.length === 0,
    addVectors(job, vectors) {
      job.vectors.push(...vectors);
      job.done += vectors.length;
      if (job.done < job.texts.length) return;
      remove(job);
      job.resolve(job.vectors);
    },
    drop,
    dropAll(error) {
      for (const job of [...jobs]) drop(job, error());
    },
  };
}
