import { createDoctor } from "./daemon-doctor.ts";
import { openPolicyDesk, type PolicyDeskOptions } from "./daemon-policy.ts";
import { openSample, type SampleOptions } from "./daemon-sample.ts";
import { readSettings, writeSetting } from "./daemon-settings.ts";
import type { PagePorts } from "./serve/page-ports.ts";

export type PagesOptions = PolicyDeskOptions & SampleOptions;

/** What only the pages ask for, joined. */
export function openPages(options: PagesOptions): PagePorts {
  const { home, env, keeper } = options;
  return {
    ...openPolicyDesk(options),
    ...openSample(options),
    doctor: createDoctor(home, env),
    config: () => readSettings(home, env),
    setConfig(change) {
      writeSetting(home, change);
      return readSettings(home, env);
    },
    sessionEvents: (query) => keeper.use((store) => store.facts.sessionEvents(query)),
    blob: (hash) => keeper.use((store) => store.facts.blob(hash)),
  };
}
