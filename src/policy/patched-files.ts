/** The names in the header lines of common patch formats, including files that are only removed or copied. */
const HEADER =
  /^(?:\+\+\+ |--- |\*\*\* (?:Add|Update|Delete|Move to)(?: File)?: |(?:rename|copy) (?:to|from) |Index: |={3,}\s)"?(?:[ab]\/)?([^\t\n"]+)/gm;
const GIT_HEADER = /^diff --(?:git|cc|combined) (?:"?a\/([^\n"]+?)"? )?"?b\/([^\n"]+)/gm;
/** A search-and-replace block, with the name on the line before it or in its fence. */
const BLOCK = /^(?:#+\s*|`{3}\w*[ \t]*)?([^\s`#<][^\n`]*)\n(?:`{3}\w*\n)?<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)/gm;

export function patchedFiles(text: string): readonly string[] {
  if (!/^(?:\+\+\+|---|\*\*\*|rename|copy|Index:|diff --|<{5,9} ?[A-Z])/m.test(text)) return [];
  const isPatch = /^(?:@@|\+\+\+ |\*\*\* |Index: |diff --|rename |copy |<{5,9} )/m.test(text);
  if (!isPatch) return [];
  return [...text.matchAll(HEADER), ...text.matchAll(GIT_HEADER), ...text.matchAll(BLOCK)]
    .flatMap(([, from, to]) => [from ?? "", to ?? ""])
    .map((file) => file.trim())
    .filter((file) => file !== "" && file !== "/dev/null");
}
