/** The names that the header lines of a patch give, in its usual forms: also where a file is only removed or copied. */
const HEADER =
  /^(?:\+\+\+ |--- |\*\*\* (?:Add|Update|Delete|Move to)(?: File)?: |(?:rename|copy) (?:to|from) |Index: |={3,}\s)"?(?:[ab]\/)?([^\t\n"]{1,1000})/gm;
const GIT_HEADER = /^diff --(?:git|cc|combined) (?:"?a\/([^\n"]{1,1000}?)"? )?"?b\/([^\n"]{1,1000})/gm;
/** A block to search and replace, with the name on the line before it or in the fence around it. */
const BLOCK =
  /^(?:#+\s*|`{3}\w*[ \t]*)?([^\s`#<][^\n`]{0,300})\n(?:`{3}\w*\n)?<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)/gm;

/** The files that a patch changes. */
export function patchedFiles(text: string): readonly string[] {
  if (!/^(?:\+\+\+|---|\*\*\*|rename|copy|Index:|diff --|<{5,9} ?[A-Z])/m.test(text)) return [];
  const isPatch = /^(?:@@|\+\+\+ |\*\*\* |Index: |diff --|rename |copy |<{5,9} )/m.test(text);
  if (!isPatch) return [];
  return [...text.matchAll(HEADER), ...text.matchAll(GIT_HEADER), ...text.matchAll(BLOCK)]
    .flatMap(([, one, other]) => [one ?? "", other ?? ""])
    .map((file) => file.trim())
    .filter((file) => file !== "" && file !== "/dev/null");
}
