/**
 * Replaces `{name}` with its value, and `{name|one|many}` with the form for that number: "file" for 1,
 * "files" for any other.
 */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(
    /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g,
    (placeholder, name: string, singular?: string, plural?: string) => {
      const value = values[name];
      if (value === undefined) return placeholder;
      return singular === undefined ? String(value) : String(value) === "1" ? singular : plural!;
    },
  );
}
