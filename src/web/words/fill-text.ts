/**
 * `{name}` in a text is replaced by its value, `{name|one|many}` by the word that goes with that number: "file" with 1,
 * "files" with every other.
 */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(
    /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      return one === undefined ? String(value) : String(value) === "1" ? one : many!;
    },
  );
}
