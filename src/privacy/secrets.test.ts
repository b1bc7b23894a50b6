import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "./growth.testing.ts";
import { TOKEN_RULES } from "./secret-rules.ts";
import { BENIGN } from "./secrets.benign.testing.ts";
import { FORMATS } from "./secrets.formats.testing.ts";
import { alnum, pseudoRandom, UPPER } from "./secrets.generated.testing.ts";
import { PEM_BODY, SECRETS } from "./secrets.secret.testing.ts";
import { maskSecrets } from "./secrets.ts";

describe("maskSecrets", () => {
  it.each(SECRETS.map(({ text, secret, kind }) => [text, secret, kind] as const))(
    "masks %j",
    (text, secret, kind) => {
      expect(maskSecrets(text)).toBe(text.replace(secret, () => `[REDACTED:${kind}]`));
    },
  );

  it.each(BENIGN)("leaves %j unchanged", (line) => {
    expect(maskSecrets(line)).toBe(line);
  });

  it("covers enough secrets, benign lines and rules", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(320);
    expect(BENIGN.length).toBeGreaterThanOrEqual(240);
    expect(TOKEN_RULES.length).toBeGreaterThanOrEqual(330);
  });

  it("leaves all benign lines unchanged in one file", () => {
    expect(maskSecrets(BENIGN.join("\n"))).toBe(BENIGN.join("\n"));
  });

  it("finds every secret among benign lines, also in JSON and in nested JSON", () => {
    const fullText = SECRETS.flatMap(({ text }, n) => [BENIGN[n % BENIGN.length]!, text, ""]).join("\n");
    const rest = SECRETS.map((secretCase) => secretCase.text.replace(secretCase.secret, ""))
      .concat(BENIGN)
      .join("\n");
    const uniqueSecrets = SECRETS.filter(
      ({ secret }) => /^[^\s"\\]{6,}$/.test(secret) && !rest.includes(secret),
    );
    expect(uniqueSecrets.length).toBeGreaterThan(60);
    for (const text of [
      fullText,
      JSON.stringify(fullText),
      JSON.stringify(JSON.stringify({ story: fullText })),
    ]) {
      const masked = maskSecrets(text);
      for (const { secret } of uniqueSecrets) expect(masked).not.toContain(secret);
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

  it.each(Object.entries(AROUND))("finds a token of every format %s", (_, around) => {
    const revealed = FORMATS.filter(({ secret }) => reveals(maskSecrets(around(secret)), secret));
    expect(revealed.map(({ kind }) => kind)).toEqual([]);
  });

  it.each(Object.entries(BREAKS))("finds a token of every format with %s inside", (_, lineBreak) => {
    // These are recognised by their end, which follows the break.
    const fixedPartAtEnd = /^(?:azure-devops-token|azure-key|newrelic-key|mailchimp-key)$/;
    const candidates = FORMATS.filter(({ kind }) => !fixedPartAtEnd.test(kind));
    const revealed = candidates.filter(({ secret }) =>
      reveals(maskSecrets(`a ${insertInto(secret, lineBreak)} b`), secret),
    );
    expect(revealed.map(({ kind }) => kind)).toEqual([]);
  });

  it("masks both the id and the secret of an AWS key in the console's CSV file", () => {
    const pair = `${alnum(30)}/${alnum(9)}`;
    expect(maskSecrets(`Access key ID,Secret access key\nAKIA${pseudoRandom(16, UPPER)},${pair}\n`)).toBe(
      "Access key ID,Secret access key\n[REDACTED:aws-access-key],[REDACTED:aws-secret-key]\n",
    );
  });

  it("masks only the header of a key that source code names", () => {
    const header = "-----BEGIN RSA PRIVATE KEY-----";
    const end = "-----END RSA PRIVATE KEY-----";
    for (const [before, after] of [
      [`if (text.startsWith("`, `")) {\n  return readKeyFromTextWithHeader(text);\n}\n`],
      [`const HEADERS = [\n  "`, `",\n  "sha256WithRSAEncryption",\n  identifierThatIsLong,\n];\n`],
      ["    12→const begin = '", "';\n    13→\n    14→someOtherIdentifierHere\n    15→x1\n"],
      ["# ", "\n\nsomeVeryLongHeadingOfADocument1\n"],
    ] as const) {
      expect(maskSecrets(before + header + after)).toBe(`${before}[REDACTED:private-key]${after}`);
      const code = `${before}${header}${after}const end = "${end}";\n`;
      expect(maskSecrets(code)).toBe(
        `${before}[REDACTED:private-key]${after}const end = "[REDACTED:private-key]";\n`,
      );
      expect(maskSecrets(`return foo\n"${end}"`)).toBe('return foo\n"[REDACTED:private-key]"');
    }
  });

  it("keeps user and host of a connection string readable", () => {
    expect(maskSecrets("postgres://bob:hunter2@db.local:5432/app?sslmode=require")).toBe(
      "postgres://bob:[REDACTED:connection-string]@db.local:5432/app?sslmode=require",
    );
  });

  it("is idempotent and never throws", () => {
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

  it("takes linear time for hostile text", () => {
    for (const part of HOSTILE)
      expect(growth(maskSecrets, part, 16_384), JSON.stringify(part)).toBeLessThan(24);
  });
});

/** What surrounds or splits a token where it occurs. */
const AROUND: Readonly<Record<string, (secret: string) => string>> = {
  "alone on its line": (s) => `first\n${s}\nlast`,
  "in quotes": (s) => `call("${s}")`,
  "in JSON": (s) => JSON.stringify({ a: [`x ${s}`] }),
  "in JSON in JSON": (s) => JSON.stringify(JSON.stringify({ a: `line\n${s}\n` })),
  "in a sentence": (s) => `Use ${s}, not the old one.`,
  "in a shell's assignment": (s) => `export X=${s}; run`,
  "as a diff": (s) => `-old\n+${s}\n`,
  "in colour": (s) => `\u001b[1;32m${s}\u001b[0m`,
  "with colour inside": (s) => `a ${insertInto(s, "\u001b[0m\u001b[1m")} b`,
  "with escaped colour inside": (s) => `a ${insertInto(s, "\\u001b[33m")} b`,
  "with an invisible character inside": (s) => `a ${insertInto(s, "\u200b")} b`,
  "with a soft hyphen inside": (s) => `a ${insertInto(s, "\u00ad")} b`,
  "with signs percent-encoded": (s) => `a ${s.replace(/[^A-Za-z0-9%]/g, percentEncode)} b`,
};

const BREAKS: Readonly<Record<string, string>> = {
  "a line break": "\n",
  "an escaped line break": "\\n",
  "a continued line": "\\\n    ",
};

function insertInto(secret: string, insertion: string): string {
  const at = secret.length - 14;
  return secret.slice(0, at) + insertion + secret.slice(at);
}

function percentEncode(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Whether a twelve-character run of the secret's second half is still in the text. */
function reveals(text: string, secret: string): boolean {
  const random = secret.slice(-Math.floor(secret.length / 2));
  return text.includes(random.slice(0, 12)) || text.includes(secret.slice(-12));
}

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
  "%41",
  "%25",
  "\u001b[1m",
  "\u001b]",
  "\u200b",
  "echo ",
  "echo a | sudo ",
  "set password ",
  "machine a login b password ",
  "a:5432:",
  ":*:*:",
  "seed phrase: word ",
  "kv put a=b ",
  " -token ",
  "password\ta",
  "비밀번호：",
  "mot de passe :",
  "Private-Lines: 9999\nAAAA",
  "ghp_a\n",
  "eyJaaaaaaaaaaaaa\n",
  "?code=a1",
  "htpasswd -b a ",
  "sqlplus a/",
  "password -> ",
  'password="""',
  "docker login --password-stdin <<< a ",
  "password:\na1b2c3d4\n",
];
