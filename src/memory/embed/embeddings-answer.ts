import { z } from "zod";

/** What an OpenAI-compatible `/v1/embeddings` answers, as far as we read it. */
export const EmbeddingsAnswer = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()).min(1), index: z.number().optional() })),
});
export type EmbeddingsAnswer = z.infer<typeof EmbeddingsAnswer>;
