import { describe, expect, it } from "vitest";
import { maskSecrets } from "./secrets.ts";

// The six forms that the tool-use specification lists: password, api key, secret, token, bearer, private key.

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
const SIGNS = [": ", "=", " = ", ":", " : "];
const VALUES = ["hunter2", "mysecretvalue", "letmein", "eyJabc.def.ghi", "12345", "비밀번호123", "s3cr3t!"];
const QUOTES = ["", "'", '"'];

describe("a setting on a line of its own", () => {
  it.each(NAMES)("is masked after %s, with whatever sign, quotes and value", (name) => {
    const forms = SIGNS.flatMap((sign) =>
      VALUES.flatMap((value) =>
        QUOTES.map((quote) => ({ value, text: `${name}${sign}${quote}${value}${quote}` })),
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
  ])("stays where it is a type, a count, a variable or a call: %s", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

it.each(["bearer 12345", "Bearer abc-def_123", "authorization: bearer abcdef", "BEARER eyJabc.def.ghi"])(
  "a bearer's credential is masked: %s",
  (text) => {
    expect(maskSecrets(text)).toMatch(/^(?:authorization: )?bearer \[REDACTED:[a-z-]+\]$/i);
  },
);

it.each([
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----BEGIN  RSA  PRIVATE  KEY-----",
])("the head of a private key is masked: %s", (text) => {
  expect(maskSecrets(`${text}\nMIIEvQIBADANBgkqhkiG9w0BAQ`)).toMatch(/^\[REDACTED:private-key\]/);
});
