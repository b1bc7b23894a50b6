import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratch, runClaude, type Scratch } from "../support/claude.ts";
import {
  allBytes,
  homeOf,
  installAndUp,
  queryDatabase,
  runHookline,
  spoolFiles,
  until,
} from "../support/cli.ts";
import { openFakeApi } from "../support/fake-api.ts";

/** Made up, each in the form of a real secret. Split in two, so this file contains none. */
const SECRETS = {
  password: `hunter2${"-correct-horse"}`,
  awsKey: `AKIA${"Q3EGRTXKCNW7ZB4M"}`,
  githubToken: `ghp_${"k4Zt8QpLw2Xv7Rb1Nc6Md9Sf3Hj5Gy0TaUeI"}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ"}.${"Zm9vYmFyc2lnbmF0dXJlMTIzNDU2Nzg5MA"}`,
  pemBody: "MIIEowIBAAKCAQEAx7Vn0q3bX1pQh2KpVYt8mS4wJrT6uYbN9cLkE5sD0fGhZqWe",
  mcpPassword: "swordfish-in-a-field",
  split: `ghp_${"Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0Kk1Ll2"}`,
  private: "the-merger-with-acme-is-on-friday",
  partlyPrivate: "my-salary-is-high",
};

let scratch: Scratch;
let imported: Scratch;

beforeAll(async () => {
  scratch = await createScratch();
  imported = scratch;
  const pem = `-----BEGIN RSA PRIVATE KEY-----\n${SECRETS.pemBody}\n${SECRETS.pemBody}\n-----END RSA PRIVATE KEY-----\n`;
  await scratch.write("secrets.txt", `password=${SECRETS.password}\n${pem}`);
  // Around the middle of a long output, where it is truncated.
  await scratch.write("long.txt", `${"x".repeat(4_985)}\n${SECRETS.split}\n${"y".repeat(20_000)}\n`);
  await installAndUp(scratch);
  const bash = (command: string) => ({ tools: [{ name: "Bash", input: { command, description: "Look" } }] });
  const api = await openFakeApi([
    bash(`echo 'password=${SECRETS.password}'`),
    bash(`export AWS_ACCESS_KEY_ID=${SECRETS.awsKey}; echo $AWS_ACCESS_KEY_ID`),
    bash(
      `curl --max-time 1 -H 'Authorization: Bearer ${SECRETS.jwt}' http://127.0.0.1:1/ || echo ${SECRETS.jwt}`,
    ),
    bash("cat secrets.txt"),
    bash("cat long.txt"),
    {
      tools: [
        {
          name: "Write",
          input: { file_path: join(scratch.project, "token.txt"), content: `${SECRETS.githubToken}\n` },
        },
      ],
    },
    { tools: [{ name: "mcp__anvils__weigh", input: { kind: "heavy", password: SECRETS.mcpPassword } }] },
    { text: `The token is ${SECRETS.githubToken}.` },
    bash(`echo '${SECRETS.private}'`),
    { text: `I know of ${SECRETS.private}.` },
    { text: "Fine." },
  ]);
  scratch.onCleanup(() => api.close());
  const server = { command: process.execPath, args: [join(import.meta.dirname, "../support/mcp-server.ts")] };
  const args = [
    "--allowedTools",
    "Bash,Write,mcp__anvils__weigh",
    "--mcp-config",
    JSON.stringify({ mcpServers: { anvils: server } }),
  ];
  const first = await runClaude(scratch, { prompt: `use ${SECRETS.githubToken} please`, api, args });
  expect(first).toMatchObject({ code: 0 });
  const resume = [...args, "--resume", first.sessionId!];
  await runClaude(scratch, { prompt: `<private>${SECRETS.private}</private>`, api, args: resume });
  await runClaude(scratch, {
    prompt: `thanks <private>${SECRETS.partlyPrivate}</private>`,
    api,
    args: resume,
  });
  await until(() => spoolFiles(scratch).length === 0);
});
afterAll(async () => {
  await scratch?.cleanup();
});

function found(dir: string): string[] {
  const files = allBytes(dir);
  expect(files.length).toBeGreaterThan(3);
  return files.flatMap(({ path, bytes }) =>
    Object.entries(SECRETS)
      .filter(([, secret]) => bytes.includes(secret) || bytes.includes(JSON.stringify(secret).slice(1, -1)))
      .map(([name]) => `${name} in ${path}`),
  );
}

describe("secrets and private text of a real run", () => {
  it("reached the agent: its own transcript has them all", () => {
    const transcripts = allBytes(join(scratch.home, ".claude/projects")).map(({ bytes }) =>
      bytes.toString("utf8"),
    );
    const missing = Object.entries(SECRETS).filter(
      ([, secret]) => !transcripts.some((text) => text.includes(secret)),
    );
    expect(missing).toEqual([]);
  });

  it("are in no byte under our home once the spool is drained", () => {
    expect(found(homeOf(scratch))).toEqual([]);
  });

  it("leave only their kind, and of a private turn only its bare facts", () => {
    const outputs = queryDatabase(scratch, "SELECT tool_response_text FROM observations").map((row) =>
      String(row["tool_response_text"]),
    );
    expect(outputs.join("\n")).toMatch(/\[REDACTED:[a-z-]+\]/);
    expect(
      queryDatabase(scratch, "SELECT prompt FROM user_prompts ORDER BY prompt_number").map(
        (row) => row["prompt"],
      ),
    ).toEqual([
      expect.stringMatching(/^use \[REDACTED:[a-z-]+\] please$/),
      expect.stringMatching(/^thanks\s*$/),
    ]);
    const hidden = queryDatabase(
      scratch,
      "SELECT event_type, payload_json FROM events WHERE payload_json LIKE '%\"private\":true%'",
    );
    expect(hidden.map((row) => row["event_type"])).toContain("turn.start");
    const echoed = queryDatabase(
      scratch,
      "SELECT count(*) AS n FROM observations WHERE tool_input_json LIKE '%merger%'",
    );
    expect(echoed).toEqual([{ n: 0 }]);
  });

  it("are in no byte after an import, alone or on top of hooks", async () => {
    const alone = join(imported.root, "import-home");
    const run = await runHookline(imported, ["import", "--json"], { HOOKLINE_HOME: alone });
    expect(run).toMatchObject({ code: 0 });
    expect(JSON.parse(run.stdout)).toMatchObject({ badLines: 0 });
    expect(readdirSync(alone)).toContain("hookline.db");
    expect(found(alone)).toEqual([]);
    await runHookline(scratch, ["import"]);
    expect(found(homeOf(scratch))).toEqual([]);
  });
});
