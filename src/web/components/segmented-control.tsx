/** One of a few options, all visible. */
export function SegmentedControl<T extends string | number>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [T, string])[];
  readonly chosen: T;
  readonly onChoose: (choice: T) => void;
}) {
  return (
    <fieldset className="switch">
      <legend className="sr-only">{label}</legend>
      {choices.map(([key, name]) => (
        <button key={key} type="button" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
