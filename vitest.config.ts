import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PATIENCE_MS, TEST_TIMEOUT_MS } from "./test/support/patience.ts";

/** Real daemons, agents and browsers first: a long file that starts last leaves the other workers idle. */
const SLOW = [
  "/test/screens/",
  "/test/durability/",
  "/test/steer/",
  "/test/watch/",
  "/test/remember/",
  "/test/",
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = SLOW.findIndex((folder) => moduleId.includes(folder));
      return found < 0 ? SLOW.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const shared = {
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
  /** Skips files whose programs are missing. */
  runner: "./test/support/skipping-runner.ts",
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    globalSetup: "./test/support/install-programs.ts",
    sequence: { sequencer: SlowFirst },
    projects: [
      { test: { name: "end-to-end", include: ["test/**/*.test.ts"], ...shared } },
      // Not isolated: a process for each file would cost more than the tests.
      { test: { name: "unit", include: ["src/**/*.test.ts"], isolate: false, ...shared } },
    ],
  },
});
