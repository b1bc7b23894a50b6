/** Yields pushed items in order; `end` lets the reader finish. */
export interface InputQueue<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  end(): void;
}

export function createInputQueue<Item>(): InputQueue<Item> {
  const items: Item[] = [];
  let ended = false;
  let wake: () => void = () => undefined;

  async function* read(): AsyncGenerator<Item, void> {
    for (;;) {
      while (items.length > 0) yield items.shift()!;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    push(item) {
      if (!ended) items.push(item);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    [Symbol.asyncIterator]: read,
  };
}
