import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "./growth.testing.ts";
import { redactAndTruncate, redactText, redactValue } from "./redact.ts";
import { secretKey } from "./secret-keys.ts";

const TOKEN = `ghp_${"aB3dE6".repeat(6)}`;

describe("redactText", () => {
  it("cuts private parts, then masks secrets", () => {
    expect(redactText("a <private>password=one1</private> password=two2 b")).toBe(
      "a  password=[REDACTED:password] b",
    );
  });

  it("finds a secret that a private tag splits", () => {
    expect(redactText("pass<private>x</private>word=hunter2")).toBe("password=[REDACTED:password]");
  });

  it("is idempotent and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(redactText(redactText(text))).toBe(redactText(text));
      }),
    );
  });
});

describe("secretKey", () => {
  it.each(
    (
      "password passwd pwd PASSWORD DB_PASSWORD userPassword confirmPassword new-password passphrase secret clientSecret " +
      "client_secret SECRET_KEY SECRET_KEY_BASE api_key apiKey apikey API-KEY x-api-key token access_token accessToken " +
      "refreshToken id_token authToken _authToken csrfToken bearer_token Authorization proxy-authorization cookie " +
      "Set-Cookie private_key privateKey secret_access_key AWS_SECRET_ACCESS_KEY encryptionKey signing_key masterKey " +
      "OPENAI_KEY PGPASSWORD MYSQL_PWD SMTP_PASS DB_PASSWORD_2 TOKEN_PROD webhookSecret"
    ).split(" "),
  )("%s names a secret", (name) => {
    expect(secretKey(name)).toBeDefined();
  });

  it.each(
    (
      "max_tokens maxTokens tokenCount token_count input_tokens tokens tokenizer token_type tokenType passwordless " +
      "passwordField password_reset_url has_password isPassword showPassword forgotPassword key keys keyboard primary_key " +
      "publicKey cacheKey sort_key monkey nextToken nextPageToken secretary secrets secretName author authors authenticated " +
      "cookies cookieParser PWD OLDPWD cwd session_id sessionId compass bypass file_path old_string new_string tool_use_id " +
      "prompt command hotkey keyCode description significant design"
    ).split(" "),
  )("%s does not", (name) => {
    expect(secretKey(name)).toBeUndefined();
  });
});

describe("redactValue", () => {
  it("masks any value under a secret's name, keeping key order and shape", () => {
    const value = {
      z: 1,
      password: "string",
      nested: { apiKey: "x", list: ["password=hunter2", 3, null, true] },
      token: 123456,
      access_token: ["one", "two"],
      Authorization: "Bearer abc",
      max_tokens: 4096,
      secret: "",
      cookie: null,
      "2": "two",
      clientSecret: { from: "vault" },
      github_token: TOKEN,
    };
    const before = structuredClone(value);
    const redacted = redactValue(value);
    expect(redacted).toEqual({
      "2": "two",
      z: 1,
      password: "[REDACTED:password]",
      nested: { apiKey: "[REDACTED:api-key]", list: ["password=[REDACTED:password]", 3, null, true] },
      token: "[REDACTED:token]",
      access_token: "[REDACTED:token]",
      Authorization: "[REDACTED:authorization]",
      max_tokens: 4096,
      secret: "",
      cookie: null,
      clientSecret: { from: "vault" },
      github_token: "[REDACTED:github-token]",
    });
    expect(Object.keys(redacted as object)).toEqual(Object.keys(value));
    expect(value).toEqual(before);
  });

  it("masks the value of a name and value pair", () => {
    expect(
      redactValue([
        { name: "DB_PASSWORD", value: "letmein" },
        { name: "PORT", value: "80" },
      ]),
    ).toEqual([
      { name: "DB_PASSWORD", value: "[REDACTED:password]" },
      { name: "PORT", value: "80" },
    ]);
  });

  it("masks keys that are tokens without losing an entry", () => {
    const other = TOKEN.replace("aB3", "zZ9");
    expect(redactValue({ [TOKEN]: 1, [other]: 2 })).toEqual({
      "[REDACTED:github-token]": 1,
      "[REDACTED:github-token] 2": 2,
    });
  });

  it("cuts private parts of keys, with a mark if an agent wrote them", () => {
    const value = { "a <private>b</private>": 1, c: { "<private>d</private>": 2 } };
    expect(redactValue(value)).toEqual({ "a ": 1, c: { "": 2 } });
    const marked = redactValue(value, false, true);
    expect(marked).toEqual({ "a [PRIVATE:20 characters]": 1, c: { "[PRIVATE:20 characters]": 2 } });
    expect(redactValue(marked, false, true)).toEqual(marked);
  });

  it("keeps an existing mask", () => {
    expect(redactValue({ token: "[REDACTED:jwt]" })).toEqual({ token: "[REDACTED:jwt]" });
  });

  it("treats __proto__ as an ordinary key", () => {
    const value: unknown = JSON.parse('{"__proto__":{"admin":true,"password":"x"},"constructor":"c"}');
    const redacted = redactValue(value) as object;
    expect(JSON.stringify(redacted)).toBe(
      '{"__proto__":{"admin":true,"password":"[REDACTED:password]"},"constructor":"c"}',
    );
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
    expect("admin" in redacted).toBe(false);
  });

  it("replaces values nested deeper than a hundred levels", () => {
    let deep: unknown = "password=hunter2";
    for (let n = 0; n < 5_000; n++) deep = n % 2 === 0 ? [deep] : { deep };
    const text = JSON.stringify(redactValue(deep));
    expect(text).toContain("[TOO DEEP]");
    expect(text).not.toContain("hunter2");
  });

  it("returns other scalars unchanged", () => {
    for (const scalar of [null, undefined, 1, true]) expect(redactValue(scalar)).toBe(scalar);
  });

  it("is idempotent, never throws, and masks every known secret", () => {
    const key = fc.constantFrom("password", "token", "a", "__proto__", "value", "name", TOKEN, "max_tokens");
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, true, 7, "", "x", "password=hunter2", TOKEN, "DB_PASSWORD"),
        fc.string(),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const once = redactValue(value);
        expect(redactValue(once)).toEqual(once);
        expect(JSON.stringify(once) ?? "").not.toContain(TOKEN);
        expect(JSON.stringify(once) ?? "").not.toContain("hunter2");
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => void redactValue(value)));
  });
});

describe("redactAndTruncate", () => {
  it("leaves no part of a secret, wherever the cut falls", () => {
    const secret = "kQ7zW2pL9x";
    for (const tool of ["shell", "read", "fetch", "agent"] as const) {
      for (const edge of [4_990, 500]) {
        for (let shift = -30; shift <= 30; shift += 4) {
          const text = `${"a ".repeat((edge + shift) >> 1)}password=${secret} ${"b ".repeat(9_000)}`;
          const result = redactAndTruncate(tool, text);
          for (let n = 0; n + 4 <= secret.length; n++) expect(result).not.toContain(secret.slice(n, n + 4));
          const fromEnd = redactAndTruncate(
            tool,
            [...text]
              .reverse()
              .join("")
              .replace(/\S{10}=drowssap/, `password=${secret}`),
          );
          for (let n = 0; n + 4 <= secret.length; n++) expect(fromEnd).not.toContain(secret.slice(n, n + 4));
        }
      }
    }
  });

  it("masks a key that is longer than the output limit", () => {
    const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n";
    const result = redactAndTruncate(
      "shell",
      `start\n-----BEGIN PRIVATE KEY-----\n${line.repeat(400)}-----END PRIVATE KEY-----\nend`,
    );
    expect(result).toBe("start\n[REDACTED:private-key]\nend");
  });

  it("keeps both ends of a very long text, redacted", () => {
    const text = `password=first1\n${"x y z\n".repeat(400_000)}password=last1`;
    const result = redactAndTruncate("shell", text);
    expect(result.length).toBeLessThanOrEqual(10_000);
    expect(result.startsWith("password=[REDACTED:password]\n")).toBe(true);
    expect(result.endsWith("\npassword=[REDACTED:password]")).toBe(true);
  });

  it("hides private text of a very long text, even if its tag opens in the part left out", () => {
    const middle = `${"x y z\n".repeat(200_000)}`;
    const text = `head\n${middle}<private>${middle} DIARY </private>tail`;
    const result = redactAndTruncate("shell", text);
    expect(result).not.toContain("DIARY");
    expect(result.endsWith("tail")).toBe(true);
    expect(redactAndTruncate("shell", `${middle}<private>${middle}DIARY`)).not.toContain("DIARY");
  });

  it("does not scan the middle of very long text for secrets", () => {
    expect(growth((text) => redactAndTruncate("shell", text), "password=hunter2 ", 1_200_000)).toBeLessThan(
      8,
    );
  });

  it("stays within the limit and masks every secret, for every tool", () => {
    const tool = fc.constantFrom("read", "shell", "search", "glob", "fetch", "edit", "mcp");
    const part = fc.oneof(
      fc.constantFrom("\n", " ", "password=hunter2", TOKEN, "<private>x</private>", "src/a.ts:1:x"),
      fc.string(),
    );
    fc.assert(
      fc.property(tool, fc.array(part), fc.integer({ min: 1, max: 300 }), (name, parts, times) => {
        const once = redactAndTruncate(name, parts.join("").repeat(times));
        expect(once.length).toBeLessThanOrEqual(10_000);
        expect(once).not.toContain(TOKEN);
        expect(redactAndTruncate(name, once)).not.toContain(TOKEN);
      }),
      { numRuns: 300 },
    );
  });
});
