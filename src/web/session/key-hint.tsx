/** The keyboard shortcut of the button it is in. */
export function KeyHint({ letter }: { readonly letter: string }) {
  return (
    <span className="key-hint" aria-hidden="true">
      <kbd>{letter}</kbd>
    </span>
  );
}
