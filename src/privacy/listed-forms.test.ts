import { describe, expect, it } from "vitest";
import { maskSecrets } from "./secrets.ts";

// The six kinds of secrets in the tool-use specification: password, api key, secret, token, bearer,
// private key.

const NAMES = [
  "password",
  "Password",
  "api_key",
  "api-key",
  "apikey",
  "API_KEY",
  "secret",
  "token",
  "access_token",
];
const SEPARATORS = [": ", "=", " = ", ":", " : "];
const VALUES = ["hunter2", "mysecretvalue", "letmein", "eyJabc.def.ghi", "12345", "비밀번호123", "s3cr3t!"];
const QUOTES = ["", "'", '"'];

describe("maskSecrets on a line with one setting", () => {
  it.each(NAMES)("masks the value of %s, whatever the separator, quotes and value", (name) => {
    const forms = SEPARATORS.flatMap((separator) =>
      VALUES.flatMap((value) =>
        QUOTES.map((quote) => ({ value, text: `${name}${separator}${quote}${value}${quote}` })),
      ),
    );
    expect(forms).toHaveLength(105);
    expect(forms.filter(({ value, text }) => maskSecrets(text).includes(value))).toEqual([]);
    const inFile = forms.filter(({ value, text }) => maskSecrets(`a: 1\n  ${text}\nb: 2`).includes(value));
    expect(inFile).toEqual([]);
  });

  it.each([
    "token: string",
    "token: 42",
    "secret: true",
    "api_key: $API_KEY",
    "token = getToken()",
    "const token = value",
    "max_tokens: 4096",
    "secret: 7",
    'token: "comma"',
  ])("leaves a type, count, variable or call alone: %s", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

it.each(["bearer 12345", "Bearer abc-def_123", "authorization: bearer abcdef", "BEARER eyJabc.def.ghi"])(
  "maskSecrets masks a bearer credential: %s",
  (text) => {
    expect(maskSecrets(text)).toMatch(/^(?:authorization: )?bearer \[REDACTED:[a-z-]+\]$/i);
  },
);

it.each([
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----BEGIN  RSA  PRIVATE  KEY-----",
])("maskSecrets masks a private key without its end: %s", (text) => {
  expect(maskSecrets(`${text}\nMIIEvQIBADANBgkqhkiG9w0BAQ`)).toMatch(/^\[REDACTED:private-key\]/);
});
