import { type ReactNode, useId } from "react";

/** A setting's name, description and control. `children` gets the ids to label the control with. */
export function SettingRow({
  name,
  description,
  code,
  children,
}: {
  readonly name: string;
  readonly description?: string | undefined;
  /** The configuration key. */
  readonly code?: string | undefined;
  readonly children: (label: { readonly labelId: string; readonly aboutId: string }) => ReactNode;
}) {
  const id = useId();
  const [labelId, aboutId] = [`${id}-name`, `${id}-about`];
  return (
    <div className="setting-row" data-row>
      <div className="text">
        <span id={labelId} className="name">
          {name}
        </span>
        {description !== undefined && (
          <span id={aboutId} className="muted about">
            {description}
          </span>
        )}
        {code !== undefined && <code className="muted key">{code}</code>}
      </div>
      <div className="control">{children({ labelId, aboutId })}</div>
    </div>
  );
}

export function Switch({
  isOn,
  onChange,
  labelId,
  disabled = false,
}: {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly labelId: string;
  readonly disabled?: boolean;
}) {
  return (
    <button
      type="button"
      role="switch"
      className="toggle"
      aria-checked={isOn}
      aria-labelledby={labelId}
      disabled={disabled}
      onClick={() => onChange(!isOn)}
    >
      <span className="knob" aria-hidden="true" />
    </button>
  );
}
