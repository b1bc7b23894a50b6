import { z } from "zod";

/** The fields we read of an OpenAI-compatible `/v1/embeddings` response. */
export const EmbeddingsResponse = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()).min(1), index: z.number().optional() })),
});
export type EmbeddingsResponse = z.infer<typeof EmbeddingsResponse>;
