/** One of a few options, all visible. */
export function SegmentedControl<T extends string | number>({
  label,
  options,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly options: readonly (readonly [T, string])[];
  readonly selected: T;
  readonly onSelect: (option: T) => void;
}) {
  return (
    <fieldset className="switch">
      <legend className="sr-only">{label}</legend>
      {options.map(([key, name]) => (
        <button key={key} type="button" aria-pressed={key === selected} onClick={() => onSelect(key)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
