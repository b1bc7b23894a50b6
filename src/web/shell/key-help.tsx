import { useState } from "react";
import { useStrings } from "../i18n/strings.ts";
import { listAvailableKeys } from "./available-keys.ts";
import { Dialog } from "./dialog.tsx";
import { hasSingleKeys } from "./single-keys.ts";

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const words = useStrings();
  const [groups] = useState(() => listAvailableKeys(words));
  return (
    <Dialog label={words.keys.title} className="key-help" onClose={onClose}>
      <h2>{words.keys.title}</h2>
      {!hasSingleKeys() && <p className="muted">{words.keys.singleKeysOff}</p>}
      <div className="key-groups">
        {groups.map(({ name, rows }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <dl className="key-list">
              {rows.map(({ keys, what }) => (
                <div key={`${keys.join(" ")} ${what}`}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
