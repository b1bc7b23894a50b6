/** Yields the lines of a body as they arrive. Only LF ends a line: U+2028 is legal inside a JSON string. */
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
 * Pulls lines one by one, so a slow or disconnected reader buffers nothing here. Resolves once the first line is ready,
 * so that an earlier failure can still be answered as an error.
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
