import type { PagePorts } from "../serve/page-ports.ts";
import { createDoctor } from "./doctor.ts";
import { createHooksPage } from "./hooks-page.ts";
import { createPolicyPage, type PolicyPageOptions } from "./policy-page.ts";
import { createSamplePorts, type SampleOptions } from "./sample.ts";
import { readSettings, writeSetting } from "./settings-page.ts";

export type PagesOptions = PolicyPageOptions & SampleOptions;

/** Ports that only the pages use. */
export function createPagePorts(options: PagesOptions): PagePorts {
  const { home, env, liveStore } = options;
  return {
    ...createPolicyPage(options),
    ...createSamplePorts(options),
    ...createHooksPage(home, env),
    doctor: createDoctor(home, env),
    config: () => readSettings(home, env),
    setConfig(change) {
      writeSetting(home, change);
      return readSettings(home, env);
    },
    sessionEvents: (query) => liveStore.use((store) => store.facts.sessionEvents(query)),
    blob: (hash) => liveStore.use((store) => store.facts.blob(hash)),
  };
}
