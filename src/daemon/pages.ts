import type { PagePorts } from "../serve/page-ports.ts";
import { createDoctor } from "./doctor.ts";
import { openPolicyDesk, type PolicyDeskOptions } from "./policy-page.ts";
import { openSample, type SampleOptions } from "./sample.ts";
import { readSettings, writeSetting } from "./settings-page.ts";

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
