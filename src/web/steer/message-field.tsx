import { type KeyboardEvent, type TextareaHTMLAttributes, useLayoutEffect, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { type Attachment, Attachments, readImages } from "./attachments.tsx";
import { applyCompletion, completionAt, matchCommands } from "./completion.ts";
import { SuggestionList, suggestionProps, useSuggestions } from "./suggestions.tsx";
import { usePaths } from "./use-paths.ts";

type Rest = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value" | "onChange" | "onKeyDown">;

/** A message: text with completed commands and files, and images by button, paste or drop. */
export function MessageField({
  text,
  onText,
  images,
  onImages,
  commands,
  filesAt,
  onKeyDown,
  ...rest
}: Rest & {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly images: readonly Attachment[];
  readonly onImages: (images: readonly Attachment[]) => void;
  readonly commands: readonly string[];
  /** Where the daemon completes files; null before there is a session. */
  readonly filesAt: string | null;
  /** For keys that no suggestion uses. */
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}) {
  const { steer } = useStrings();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(text.length);
  const moveTo = useRef<number | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const completion = completionAt(text, caret);
  const paths = usePaths(filesAt, completion?.kind === "file" ? completion.typed : null);
  const options = completion?.kind === "command" ? matchCommands(commands, completion.typed) : paths;
  const suggestions = useSuggestions(
    completion === null ? [] : options,
    (choice) => {
      if (completion === null) return;
      const done = applyCompletion(text, caret, completion, choice);
      moveTo.current = done.caret;
      setCaret(done.caret);
      onText(done.text);
    },
    true,
  );
  useLayoutEffect(() => {
    if (moveTo.current === null) return;
    field.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = null;
  });
  const add = async (files: readonly File[]): Promise<void> => {
    const read = await readImages(files, images);
    setRefused(read.refused);
    onImages(read.images);
  };
  return (
    <div className="message-field">
      <SuggestionList suggestions={suggestions} sign={completion?.kind === "command" ? "/" : "@"} />
      <textarea
        {...rest}
        {...suggestionProps(suggestions)}
        ref={field}
        value={text}
        onChange={(event) => {
          setCaret(event.target.selectionStart);
          onText(event.target.value);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void add(files);
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void add([...event.dataTransfer.files]);
        }}
        onKeyDown={(event) => {
          if (!suggestions.onKeyDown(event)) onKeyDown(event);
        }}
      />
      <Attachments
        images={images}
        onAdd={(files) => void add(files)}
        onRemove={(index) => onImages(images.filter((_, at) => at !== index))}
      />
      {refused.length > 0 && (
        <p className="trouble" role="alert">
          {fill(steer.imageRefused, { names: refused.map(visibleText).join(", ") })}
        </p>
      )}
    </div>
  );
}
