/** The lines of a body as they arrive. Only LF ends one: U+2028 is legal inside a JSON text. */
export async function* bodyLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield rest;
}

/**
 * Asked for one by one: a reader that is slow, or gone, holds nothing here. Resolves with the first line at hand, so
 * that a failure before it can still be answered as one.
 */
export async function toLineStream(lines: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const iterator = lines[Symbol.asyncIterator]();
  let first: IteratorResult<string> | null = await iterator.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await iterator.next());
        first = null;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`${value}\n`));
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
