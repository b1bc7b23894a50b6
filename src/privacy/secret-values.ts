/**
 * Decides whether a value after the name of a secret is a literal (then it is the secret) or code, a type, a
 * variable, a label or a placeholder (then it is not). The language of the text is unknown, so each test is a
 * trade-off; they are listed in the header of `secrets.ts`.
 */
import { isSecretName, type SecretKey, secretKey } from "./secret-keys.ts";

export interface ValueContext {
  readonly key: SecretKey;
  /** `KEY=value` without blanks around the sign, and not in a list of arguments. */
  readonly tight: boolean;
  /** The name is in capitals (`DB_PASSWORD`) and the sign is tight: an environment variable. */
  readonly env: boolean;
  /** The name is first on its line and the value last: a line of YAML, INI, .env or .properties. */
  readonly wholeLine: boolean;
  /** `const`, `this.`, `def` … before the name, or `;` `)` `,` after the value. */
  readonly code: boolean;
  /** The name is in quotes: JSON, not code. */
  readonly quotedKey: boolean;
  /** The sign compares (`==`) or only separates (`("token", "…")`): the value must look random. */
  readonly doubtful: boolean;
}

/** Only the start of a long value is inspected. */
const MAX_INSPECTED_CHARS = 512;

export function isSecretInQuotes(fullValue: string, context: ValueContext): boolean {
  const { key } = context;
  const value = fullValue.slice(0, MAX_INSPECTED_CHARS);
  if (isNeverSecret(value) || isNameOfSecret(value, key) || ENV_VARIABLE_NAME.test(value)) return false;
  if (NON_ASCII.test(value) && PASSWORD_STATUS_WORD.test(value)) return false;
  if (key.kind === "cookie") return value.includes("=");
  if (key.weak || context.doubtful) return looksRandom(value) && !MEMBER.test(value);
  // `"Password: ")`: not an opening quote but the end of a prompt's text.
  if (!context.quotedKey && /^[),;\]} +.]/.test(value)) return false;
  if (/^[~^]?\d+\.\d+\.\d+$/.test(value)) return false;
  if (/\s/.test(value)) return context.env || (!LABEL.test(value) && !/[({;]/.test(value));
  if (PATTERN_OR_SELECTOR.test(value)) return false;
  if (key.kind === "token") {
    if (context.quotedKey) return /[A-Za-z0-9]/.test(value);
    if (isSetting(context) && /^[a-z]{6,}$/.test(value)) return !COMMON_VARIABLE.test(value);
    // In code, a token is just as often a lexer's.
    return !/^(?:.{0,3}|[A-Za-z]{0,15}|[^A-Za-z0-9]*|[a-z]+(?:[-_.][a-z]+)+)$/.test(value);
  }
  return /[\p{L}\p{N}]/u.test(value) || value.length >= 6;
}

export function isSecretUnquoted(value: string, context: ValueContext): boolean {
  const { key } = context;
  if (isNeverSecret(value) || PROSE.test(value) || CALL_OR_INDEX.test(value)) return false;
  if (/^[[({<|>=,;:?]/.test(value)) return false;
  if (key.kind === "oauth-code") return value.length >= 10 && looksRandom(value);
  if (/^eyJ[\w-]*(?:\.[\w-]+)+$/.test(value)) return true;
  if (key.weak || context.doubtful) return looksRandom(value) && !MEMBER.test(value);
  if (/^\d+$/.test(value)) return value.length >= minDigits(context);
  if (QUANTITY.test(value)) return false;
  if (context.env && !MEMBER.test(value)) return true;
  const isWholeSetting = context.tight && context.wholeLine && !context.code;
  if (MEMBER.test(value) && !(isWholeSetting && looksRandom(value) && !ENVIRONMENT.test(value))) return false;
  if (/^[&*!@%+-]/.test(value) && !looksRandom(value)) return false;
  if (/^[A-Za-z_$][\w$]*$/.test(value)) return isSecretWord(value, context);
  if (isPath(value)) return false;
  if (NON_ASCII.test(value)) return isNonAsciiSecret(value, context);
  if (looksRandom(value)) return true;
  if (isWholeSetting) return !isNameOfSecret(value, key);
  const isPlainWords = /^[A-Za-z]+(?:[-_./+|\\,:][A-Za-z]+)*[,:;.]?$/.test(value);
  if (isPlainWords)
    return (
      key.kind === "password" && !context.code && /^[a-z]+(?:-[a-z]+)+$/.test(value) && !mentionsSecret(value)
    );
  return (
    value.length >= 4 && /[A-Za-z]/.test(value) && /[\d!@#$%^&*~+]/.test(value) && !OPERATORS.test(value)
  );
}

/**
 * Other scripts have no identifiers to mistake for a secret, but words that describe a password's status.
 */
function isNonAsciiSecret(value: string, context: ValueContext): boolean {
  if (context.code || !/^[\p{L}\p{M}]/u.test(value) || PASSWORD_STATUS_WORD.test(value)) return false;
  if (/[,.;:!?。、，：)]$/u.test(value) && !context.wholeLine) return false;
  if (/[()（）<>「」『』]/.test(value)) return false;
  if (/\d|[!@#$%^&*~]/.test(value) && value.length >= 4)
    return !/\d+(?:자|글자|位|文字|字|회|번|개)/.test(value);
  return context.tight || context.wholeLine;
}

const NON_ASCII = /[^\x00-\x7f]/;

/** Letters and digits together, long enough, and none of the common values that have both. */
export function looksRandom(value: string): boolean {
  return (
    value.length >= 7 &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !isPath(value) &&
    !QUANTITY.test(value) &&
    !/^\w+\*\w+$/.test(value) &&
    !KNOWN_WITH_DIGIT.test(value) &&
    !/^[a-z]+(?:[-_.][a-z]+)*[-_.]?\d{1,2}$/.test(value.length > 8 ? value : "")
  );
}

/** What a generated key looks like: long, in one piece, digits and letters well mixed. */
export function looksLikeKey(value: string): boolean {
  return (
    value.length >= 16 &&
    /^[A-Za-z0-9+/=_.-]+$/.test(value) &&
    (value.match(/\d/g)?.length ?? 0) >= 2 &&
    /\d[A-Za-z]/.test(value) &&
    looksRandom(value) &&
    !isNeverSecret(value)
  );
}

/** Empty, `${VAR}`, `<your-token>`, `***`, `null`, `string`, an address: no secret, whatever the name. */
export function isNeverSecret(value: string): boolean {
  return (
    value === "" ||
    value.includes("[REDACTED") ||
    KEYWORD.test(value) ||
    PLACEHOLDER.test(value) ||
    TEMPLATE.test(value) ||
    /^[a-z][a-z+.-]{1,20}:\/\//i.test(value)
  );
}

/** An identifier: `hunter2` and `letmein` are secrets, `userInput`, `Token`, `token2`, `sha256Hash` are not. */
function isSecretWord(value: string, context: ValueContext): boolean {
  if (context.tight && context.wholeLine && !context.code) return !isNameOfSecret(value, context.key);
  if (mentionsSecret(value) && !looksRandom(value) && !isSecretOnOwnLine(value, context)) return false;
  if (/\d/.test(value)) {
    if (KNOWN_WITH_DIGIT.test(value)) return false;
    if (/^[A-Za-z]{1,4}\d$/.test(value)) return context.tight && context.key.kind === "password";
    if (context.code) return isUnlikelyVariable(value, context.key);
    return value.length >= 4 && !/^[a-z]+(?:_[a-z]+)*_\d+$/.test(value);
  }
  if (/^[a-z]+$/.test(value)) {
    if (context.code || COMMON_VARIABLE.test(value)) return false;
    return context.tight || (context.wholeLine && (isStrong(context.key) || value.length >= 6));
  }
  // Only letters, with capitals inside: a type or a variable, unless it is long and too mixed for camelCase.
  return value.length >= 20 && !context.code && /[A-Z]{2}[a-z][A-Z]|[a-z][A-Z][a-z][A-Z]/.test(value);
}

/** `secret: mysecretvalue` on its own line: not a type or a field name. */
function isSecretOnOwnLine(value: string, context: ValueContext): boolean {
  if (!context.wholeLine || context.code || !/^[a-z]{9,}$/.test(value)) return false;
  return !/^(?:client|user|api|access|my)?(?:secret|password|passwd|token|key)s?(?:name|key|id|field|hash|text|type|file|path|ref|manager|store)?$/.test(
    value,
  );
}

/** In settings a plain word is often a password, secret or key, and seldom a token. */
function isStrong(key: SecretKey): boolean {
  return key.kind === "password" || key.kind === "secret" || key.kind === "api-key";
}

/** A number after one of these names is a count in code, and an identifier in a setting. */
function minDigits(context: ValueContext): number {
  if (context.key.kind === "password") return 4;
  if (!isSetting(context)) return 8;
  return isStrong(context.key) ? 4 : 5;
}

function isSetting({ code, tight, wholeLine }: ValueContext): boolean {
  return !code && (tight || wholeLine);
}

/** In code a word with digits is a variable, unless digits and letters alternate, or it is a password like
 *  `hunter2`, an unlikely variable name. */
function isUnlikelyVariable(value: string, key: SecretKey): boolean {
  if (value.includes("_")) return false;
  if (value.length >= 10 && /\d[A-Za-z]+\d/.test(value)) return true;
  const stem = /^([a-z]{5,})\d+$/.exec(value)?.[1];
  return (
    key.kind === "password" && stem !== undefined && !COMMON_VARIABLE.test(stem) && !mentionsSecret(stem)
  );
}

/** `password: "Password"`, `token: "access_token"`: a label or a field. `password: "secret"` is a password. */
function isNameOfSecret(value: string, key: SecretKey): boolean {
  return isSecretName(value) && (key.kind !== "password" || secretKey(value)?.kind === "password");
}

function mentionsSecret(value: string): boolean {
  return /pass|pwd|secret|token|key|auth|cred/i.test(value);
}

function isPath(value: string): boolean {
  return (
    /^(?:~|\.{1,2})?(?:\/[a-z0-9@._-]+)+\/?(?:[\w.-]+)?$/.test(value) ||
    /^(?:[\w@.-]+\/)+[\w@-]+(?:\.[\w-]+)*\.[a-z]{1,5}$/.test(value) ||
    /^[\w-]+\.(?:tsx?|jsx?|json|ya?ml|toml|pem|key|crt|md|py|rb|go|rs|txt|env|sh|html|css|sql)$/.test(value)
  );
}

/** "Required", "wrong", "none", "forgotten" and the like, which often follow "password:". */
const PASSWORD_STATUS_WORD =
  /^(?!.*\d)(?:필수|선택|없음|있음|입력|변경|확인|설정|오류|불일치|일치|만료|필요|재설정|미설정|숨김|틀림|사용|생성|초기화|분실|비밀번호|암호|문자열|해시|обязател|неверн|нет|отсутств|забыл|измен|строка|必填|必須|必须|错误|錯誤|不正|なし|无|無|変更|修改|忘记|未設定|未设置|字符串|文字列|oublié|erroné|inválid|contraseña|ungültig|obligatóri|requerid|nieprawidł|wymagan|zapomnia)/iu;

const KEYWORD =
  /^(?:string|number|boolean|bool|str|int|integer|float|double|char|byte|bytes|object|array|list|dict|map|any|unknown|never|void|null|nil|none|nan|undefined|true|false|yes|no|on|off|self|this|super|new|await|async|typeof|function|return|optional|required|nullable|missing|invalid|expired|valid|empty|enabled|disabled|present|absent|inherit|include|omit|same-origin|default|auto|hidden|redacted|masked|removed|unset|text|varchar|bearer|basic|digest|oauth2?|jwt|n\/a|tbd|todo|usize|u8|i32|u32|u64|i64|secretstr|bytearray|requise?|obligatoire|invalide|incorrecte?|incorreta|incorrecta|incorrecto|obligatoria|obligatorio|obrigatoria|requerida|requerido|erforderlich|falsch|vergessen|ungueltig|vereist|ongeldig|verplicht|richiesta|errata|gerekli|hatali)[?,;.:!)\]}]*(?:\[\])?$/i;

/** Words that follow a colon in prose: "Password: the one you chose". */
const PROSE =
  /^(?:is|was|not|and|or|the|a|an|of|for|to|in|with|from|must|should|can|has|will|are|it|your|you|my|we|if|when|this|that)[,.;:]?$/i;

const PLACEHOLDER =
  /^(?:…|([x*.#?•…_-])\1+|[x*•]+(?:[-_.][x*•]+)+|\$\w+|%\w*%?|<[^>]*>?|\{[^}]*\}|\[[^\]]*\]|__\w+__|@\w+@|:\w+|\?|(?:your|insert|enter|replace|change|example|placeholder|dummy|redacted|some|todo|fixme)(?![a-z0-9]).*|(?:changeme|changeit|yourpassword|yourtoken|yourapikey|replaceme)\W*)$/i;

const TEMPLATE = /\$\{|\{\{|#\{|\$\(|%\(|<%|%s/;

/** `"GITHUB_TOKEN"`: the name of an environment variable. */
const ENV_VARIABLE_NAME = /^[A-Z]{2,}(?:_[A-Z]{2,}\d?)+$/;

const LABEL =
  /\b(?:the|is|are|your|you|a|an|to|must|not|no|of|for|in|with|and|or|required|invalid|enter|please|forgot|reset|change|confirm|new|show|hide|missing|expired|incorrect|wrong|cannot|should|password|token|secret|key|field|characters?)\b/i;

const PATTERN_OR_SELECTOR =
  /^\^|\$$(?<=[\])}*+]\$)|^[#.][a-z][\w-]*$|^(?:input)?\[|^(?:required|nullable|sometimes|string|min:|max:)\|?|^sha\d+[-:]|^\.{0,2}\/[\w./-]*$|^data:/;

const CALL_OR_INDEX =
  /^[!&*@]{0,2}(?:new$|[A-Za-z_$][\w$]*(?:(?:\?\.|::|->|\.)[\w$]+){0,8}!?(?:\?\.)?[([<{`])|^\/.*\/[gimsuy]*$|^\(|^`/;

const MEMBER = /^[!&*@]{0,2}[A-Za-z_$][\w$]*!?(?:(?:\?\.|::|->|\.)[A-Za-z_$][\w$]*!?){1,12}[,;)?]*$/;

const ENVIRONMENT = /^(?:process|os|env|ENV|System|config|settings|import|self|this)\b/;

const OPERATORS =
  /^[\w$.)]+\s*(?:\|\||&&|\?\?|[=!]==?|=>|[-+*/%]=|\+\+|--)|^[a-z_]\w*[-+*/%|&][a-z_]\w*$|^\w+\*\w+$/i;

const QUANTITY =
  /^[-+]?\d[\d.,:/_x-]*(?:px|ms|ns|us|s|m|h|d|w|y|[kmgt]i?b?|%|em|rem|n|f|u\d+|e[-+]?\d+|(?:T\d[\d:.]*Z?))?[,;)]?$|^0x[\da-f]{1,8}$/i;

const KNOWN_WITH_DIGIT =
  /^(?:[a-zA-Z]*[a-z_])?(?:[Bb]ase64|[Bb]ase58|[Bb]ase32|[Uu]tf8|[Uu]tf16|[Ss]ha\d{1,3}|[Mm]d5|[Oo][Aa]uth2|[Ss]3|[Ee]c2|[Kk]8s|i18n|[Uu]?[Ii]nt\d+|[Ff]loat\d+|[EeHhRr][Ss]\d{3}|[Ee]d25519|[Xx]509|[Pp]256|[Vv]\d|[Ii][Pp]v\d|[Hh]ttp2|[Aa]rgon2|[Pp]bkdf2|[Pp]kcs\d+|[Aa]es\d*|[Ww]eb3|[Vv]ec\d)(?:[A-Z_]\w*)?$/;

const COMMON_VARIABLE =
  /^(?:value|val|input|data|str|text|user|config|options|opts|process|env|props|state|params?|args?|result|res|req|request|response|body|payload|content|name|raw|tmp|temp|item|entry|match|current|next|prev|first|last|got|want|expected|actual|plain|hash|hashed|encrypted|decoded|encoded|id|ctx|context|session|client|settings|argv|stdin|prompt|header|headers|identifier|comma|keyword|operator|number|eof)$/;
