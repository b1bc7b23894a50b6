import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "./growth.testing.ts";
import { TOKEN_RULES } from "./secret-rules.ts";
import { BENIGN } from "./secrets.benign.testing.ts";
import { PEM_BODY, SECRETS } from "./secrets.secret.testing.ts";
import { maskSecrets } from "./secrets.ts";

describe("maskSecrets", () => {
  it.each(SECRETS.map(({ text, secret, kind }) => [text, secret, kind] as const))(
    "masks %j",
    (text, secret, kind) => {
      expect(maskSecrets(text)).toBe(text.replace(secret, () => `[REDACTED:${kind}]`));
    },
  );

  it.each(BENIGN)("leaves %j as it is", (line) => {
    expect(maskSecrets(line)).toBe(line);
  });

  it("looks at enough of both", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(100);
    expect(BENIGN.length).toBeGreaterThanOrEqual(140);
    expect(TOKEN_RULES.length).toBeGreaterThanOrEqual(130);
  });

  it("leaves all benign lines as they are when they are one file", () => {
    expect(maskSecrets(BENIGN.join("\n"))).toBe(BENIGN.join("\n"));
  });

  it("finds every secret in one text among benign lines, also as JSON and as JSON in JSON", () => {
    const story = SECRETS.flatMap(({ text }, n) => [BENIGN[n % BENIGN.length]!, text, ""]).join("\n");
    const rest = SECRETS.map((one) => one.text.replace(one.secret, ""))
      .concat(BENIGN)
      .join("\n");
    const telling = SECRETS.filter(({ secret }) => /^[^\s"\\]{6,}$/.test(secret) && !rest.includes(secret));
    expect(telling.length).toBeGreaterThan(60);
    for (const text of [story, JSON.stringify(story), JSON.stringify(JSON.stringify({ story }))]) {
      const masked = maskSecrets(text);
      for (const { secret } of telling) expect(masked).not.toContain(secret);
      for (const line of PEM_BODY.split("\n")) expect(masked).not.toContain(line);
    }
  });

  it("masks a key shown with line numbers, as a diff, and indented", () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${PEM_BODY}\n-----END PRIVATE KEY-----`;
    for (const prefix of ["    12→", "+", "    ", "> "]) {
      const shown = pem.replace(/^/gm, prefix);
      const cut = shown.slice(0, shown.indexOf("-----END"));
      for (const line of PEM_BODY.split("\n")) {
        expect(maskSecrets(shown)).not.toContain(line);
        expect(maskSecrets(cut)).not.toContain(line);
      }
    }
  });

  it("keeps user and host of a connection string readable", () => {
    expect(maskSecrets("postgres://bob:hunter2@db.local:5432/app?sslmode=require")).toBe(
      "postgres://bob:[REDACTED:connection-string]@db.local:5432/app?sslmode=require",
    );
  });

  it("is idempotent, and never throws", () => {
    const parts = fc.oneof(
      fc.constantFrom(...SECRETS.map(({ text }) => text), ...SECRETS.map(({ secret }) => secret)),
      fc.constantFrom(...BENIGN),
      fc.constantFrom(
        ..."= : \" ' \\ ` , ; & ( ) [ ] { } < > | \n -- -u -p :// @ || password token= Bearer [REDACTED: ] eyJ -----BEGIN".split(
          " ",
        ),
        " ",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
        const once = maskSecrets(pieces.join(""));
        expect(maskSecrets(once)).toBe(once);
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const once = maskSecrets(text);
        expect(maskSecrets(once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it("does work that grows with the length of hostile text, not with its square", () => {
    for (const part of HOSTILE)
      expect(growth(maskSecrets, part, 16_384), JSON.stringify(part)).toBeLessThan(24);
  });
});

const HOSTILE: readonly string[] = [
  ..."a = \" ' ` : - _ . / @ \\ < > | ? , $ eyJ :// ://a: ://a:b --a -u -----".split(" "),
  "\n",
  " ",
  "é",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nAAAA",
  "A\n-----END ",
  "eyJaaaaaaaaaaaaa.",
  "eyJaaaaaaaaaaaaa.eyJ",
  "password=",
  "password='",
  'password="',
  'password=\\"',
  "password=\"password='password=`",
  "password: ",
  "password:\n",
  "password=a.",
  "password=a(",
  "password=a_",
  'token="A_',
  "PASSWORD=[",
  "PASSWORD=,a",
  "value=",
  "name: password value: ",
  "--password ",
  "curl -u ",
  "mysql -p ",
  "bearer ",
  "Authorization: ",
  "cookie: a=",
  "password is ",
  "<password>",
  '("token", "',
  "token || '",
  "[REDACTED:",
  "postgres://a:b",
  "ghp_",
  "sk-",
  "ghs_1_",
  "xoxe.xoxb-",
  "MIIEpAIBAAK",
  "b3BlbnNzaC1rZXktdjE",
  "\\n",
  "a1",
];
