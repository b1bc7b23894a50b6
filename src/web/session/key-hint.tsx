/** The key that does the same as the button it stands in. */
export function KeyHint({ letter }: { readonly letter: string }) {
  return (
    <span className="key-hint" aria-hidden="true">
      <kbd>{letter}</kbd>
    </span>
  );
}
