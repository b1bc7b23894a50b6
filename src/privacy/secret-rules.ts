/**
 * Token formats of well-known providers: a literal prefix and what must follow it. Prefixes, alphabets and
 * lengths are the providers' published ones, cross-checked with the gitleaks and secretlint rule sets
 * (docs/decisions/0003-secret-rules.md); lengths are lower bounds, because providers lengthen their tokens.
 *
 * The scanner calls a rule only where the prefix occurs, so a rule costs nothing on ordinary text. To stay
 * linear on hostile text, a body may be unbounded only in its last part (see `secrets.ts`).
 */
import { bounded, rules, type TokenRule } from "./secret-rule.ts";
import { AI_RULES } from "./secret-rules-ai.ts";
import { BUSINESS_RULES } from "./secret-rules-business.ts";
import { CLOUD_RULES } from "./secret-rules-cloud.ts";
import { CODE_RULES } from "./secret-rules-code.ts";

/** A PEM body line by line, also with escaped line ends. */
const KEY_BODY =
  /[A-Za-z0-9+/=]{20,}(?:(?:\\{1,8}[nr]|\s){1,4}[A-Za-z0-9+/=]{16,})*(?:(?:\\{1,8}[nr]|\s){1,4}[A-Za-z0-9+/]{1,64}={1,2})?/y;

/** A salt and a hash in the alphabet of crypt(3), which has `.` and `/` but no `+`. */
const cryptBody = (hash: string) =>
  new RegExp(`(?:rounds=\\d{1,9}\\$)?[./A-Za-z0-9]{1,22}\\$[./A-Za-z0-9]{${hash}}`, "y");

const HASH_RULES: readonly TokenRule[] = [
  ...rules("password-hash", "$2a$ $2b$ $2y$ $2x$", /\d\d\$[./A-Za-z0-9]{53}/y),
  ...rules("password-hash", "$argon2id$ $argon2i$ $argon2d$", /[\w$=,+/-]{30,}/y),
  ...rules("password-hash", "$6$", cryptBody("86")),
  ...rules("password-hash", "$5$", cryptBody("43")),
  ...rules("password-hash", "$1$ $apr1$", cryptBody("22")),
  ...rules("password-hash", "$y$ $gy$ $7$", /[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}/y),
  ...rules("password-hash", "$P$ $H$", /[./A-Za-z0-9]{31}(?![./A-Za-z0-9])/y),
  ...rules("password-hash", "$scrypt$ $s0$ $pbkdf2$ $pbkdf2-sha256$ $pbkdf2-sha512$", /[\w$=,./+-]{30,}/y),
  ...bounded(
    "password-hash",
    "pbkdf2_sha256$ pbkdf2_sha1$ pbkdf2_sha512$",
    /\d{3,9}\$[\w+/=.-]{4,64}\$[\w+/=]{24,}/y,
  ),
  ...bounded("password-hash", "scrypt:", /\d{1,8}:\d{1,3}:\d{1,3}\$\w{4,64}\$[a-f0-9]{64,}/y),
  ...rules("password-hash", "{SHA}", /[A-Za-z0-9+/]{27}=/y),
  ...rules("password-hash", "{SSHA}", /[A-Za-z0-9+/]{32,64}={0,2}/y),
  ...rules("password-hash", "{SSHA256} {SSHA512} {SHA256} {SHA512}", /[A-Za-z0-9+/]{40,120}={0,2}/y),
  ...rules(
    "password-hash",
    "SCRAM-SHA-256$ SCRAM-SHA-1$",
    /\d{4,7}:[\w+/=]{16,}\$[\w+/=]{20,}:[\w+/=]{20,}/y,
  ),
];

/** Bodies of private keys without their BEGIN line: the fixed first bytes of each encoding. */
const KEY_RULES: readonly TokenRule[] = [
  ...rules("private-key", "b3BlbnNzaC1rZXktdjE", KEY_BODY),
  ...bounded(
    "private-key",
    "MIIEpAIBAAK MIIEowIBAAK MIIEvQIBADANBgkq MIIEvgIBADANBgkq MIIJKQIBAAK MIIJKAIBAAK MIIJQgIBADANBgkq " +
      "MIIJQwIBADANBgkq MHcCAQEEI MIGHAgEAMBMGByqG MC4CAQAwBQYDK2Vw",
    KEY_BODY,
  ),
];

export const TOKEN_RULES: readonly TokenRule[] = [
  ...AI_RULES,
  ...CLOUD_RULES,
  ...CODE_RULES,
  ...BUSINESS_RULES,
  ...HASH_RULES,
  ...KEY_RULES,
];
