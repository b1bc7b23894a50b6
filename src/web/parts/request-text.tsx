import { fill, useWords } from "../words/words.ts";
import { CodeText } from "./code-text.tsx";

const MOST_LINES = 14;

export function isLong(text: string): boolean {
  return text.split("\n").length > MOST_LINES;
}

/** What is asked, word for word. What is long is folded, and is unfolded before it can be answered by a key. */
export function RequestText({
  text,
  isOpen,
  onOpen,
}: {
  readonly text: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const { session } = useWords();
  const lines = text.split("\n").length;
  return (
    <>
      <CodeText text={text} lines={isOpen ? lines : MOST_LINES} />
      {!isOpen && isLong(text) && (
        <button type="button" className="button small unfold" onClick={onOpen}>
          {fill(session.allLines, { n: lines })}
        </button>
      )}
    </>
  );
}
