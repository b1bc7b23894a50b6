import { foldedPath } from "./folded-path.ts";

/** Names that run later at the root of a project and are ordinary elsewhere. */

/** `ci.yml`, `build-ci.yaml`; not `docker-compose.ci.yml`, which a pipeline starts. */
const PIPELINE =
  /^(?!(?:values|config|settings|env|environment|requirements|compose)[-_])(?:(?:[a-z\d]+[-_])*ci(?:[-_][a-z\d]+)*|pipelines?|semaphore|drone|woodpecker|cirrus|bamboo)\.ya?ml$/;
/** Wrapper scripts that fetch and run a build tool. */
const WRAPPER =
  /^(?:mill|amper|pants|jbang|sbt|lein|please|buck2?|bazel|bazelisk|activator|waf|grails|mvn|scala-cli|coursier|earthly|tilt|bob)(?:\.(?:bat|cmd|ps1|sh))?$/;
const WRAPPER_NAME =
  /^(?:ant|bazel|bb|buck2?|bun|bundle|cargo|clj|cmake|composer|conda|dagger|dart|deno|dotnet|earthly|flutter|go|gradle|grails|griffon|helm|java|jbang|jdk|just|kotlin|kubectl|lein|make|maven|meson|mill|mix|mvn|ninja|node|npm|nx|pants|pdm|php|pip|please|pnpm|poetry|python|rake|ruby|sbt|scala|skaffold|swift|task|terraform|terragrunt|tilt|tofu|uv|xcode|yarn|zig)w$|^[a-z][a-z\d-]*w\.(?:bat|cmd|ps1)$/;
/** Agents read them at the root of their workspace; elsewhere they are documentation. */
const INSTRUCTIONS =
  /^(?:replit|grok|kimi|vibe|goose|amp|augment|opencode|cursor|windsurf|copilot|cline|roo|kilo|kilocode|kiro|jules|devin|aider|junie|trae|factory|droid|cody|antigravity)\.md$/;

export function describeRunsLaterAtRoot(path: string, workspace: readonly string[]): string | null {
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  const what = PIPELINE.test(name)
    ? "a CI pipeline"
    : WRAPPER.test(name) || WRAPPER_NAME.test(name)
      ? "a build wrapper"
      : INSTRUCTIONS.test(name)
        ? "agent instructions"
        : null;
  if (what === null) return null;
  const folder = path.slice(0, slash);
  return workspace.some((root) => foldedPath(root) === folder) ? what : null;
}
