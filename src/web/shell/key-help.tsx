import { useState } from "react";
import { useStrings } from "../i18n/strings.ts";
import { listAvailableKeys } from "./available-keys.ts";
import { Dialog } from "./dialog.tsx";
import { hasSingleKeys } from "./single-keys.ts";

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const strings = useStrings();
  const [groups] = useState(() => listAvailableKeys(strings));
  return (
    <Dialog label={strings.keys.title} className="key-help" onClose={onClose}>
      <h2>{strings.keys.title}</h2>
      {!hasSingleKeys() && <p className="muted">{strings.keys.singleKeysOff}</p>}
      <div className="key-groups">
        {groups.map(({ name, rows }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <dl className="key-list">
              {rows.map(({ keys, label }) => (
                <div key={`${keys.join(" ")} ${label}`}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
