import { type KeyboardEvent, type TextareaHTMLAttributes, useLayoutEffect, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { type Attachment, Attachments, readImages } from "./attachments.tsx";
import { applyCompletion, completionAt, matchCommands } from "./completion.ts";
import { SuggestionList, suggestionProps, useSuggestions } from "./suggestions.tsx";
import { usePaths } from "./use-paths.ts";

type TextareaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value" | "onChange" | "onKeyDown">;

/** A message input with completion of commands and files; images can be attached, pasted or dropped. */
export function MessageField({
  text,
  onText,
  images,
  onImages,
  commands,
  filesUrl,
  onKeyDown,
  ...rest
}: TextareaProps & {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly images: readonly Attachment[];
  readonly onImages: (images: readonly Attachment[]) => void;
  readonly commands: readonly string[];
  /** The URL that completes file paths; null before there is a session. */
  readonly filesUrl: string | null;
  /** For keys that no suggestion uses. */
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}) {
  const { steer } = useStrings();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(text.length);
  const pendingCaret = useRef<number | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const completion = completionAt(text, caret);
  const paths = usePaths(filesUrl, completion?.kind === "file" ? completion.typed : null);
  const options = completion?.kind === "command" ? matchCommands(commands, completion.typed) : paths;
  const suggestions = useSuggestions(
    completion === null ? [] : options,
    (option) => {
      if (completion === null) return;
      const completed = applyCompletion(text, caret, completion, option);
      pendingCaret.current = completed.caret;
      setCaret(completed.caret);
      onText(completed.text);
    },
    true,
  );
  useLayoutEffect(() => {
    if (pendingCaret.current === null) return;
    field.current?.setSelectionRange(pendingCaret.current, pendingCaret.current);
    pendingCaret.current = null;
  });
  const add = async (files: readonly File[]): Promise<void> => {
    const read = await readImages(files, images);
    setRefused(read.refused);
    onImages(read.images);
  };
  return (
    <div className="message-field">
      <SuggestionList suggestions={suggestions} prefix={completion?.kind === "command" ? "/" : "@"} />
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
        onRemove={(index) => onImages(images.filter((_, position) => position !== index))}
      />
      {refused.length > 0 && (
        <p className="error-text" role="alert">
          {fill(steer.imageRefused, { names: refused.map(visibleText).join(", ") })}
        </p>
      )}
    </div>
  );
}
