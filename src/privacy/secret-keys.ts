/**
 * Which names denote a secret: `DB_PASSWORD`, `clientSecret`, `x-api-key`, but not `max_tokens`,
 * `passwordField`, `nextPageToken`, `primary_key`. The last words of a name decide, so `password_reset_url`
 * (an address) does not and `SMTP_PASSWORD_PROD` does.
 */

export interface SecretKey {
  readonly kind: string;
  /** The name alone is weak evidence ("pass", "auth"): in text, the value must look random too. */
  readonly weak: boolean;
}

/** Names that never denote a secret: the working directory, and a name that is itself masked. */
const NEVER_SECRET = /^(?:OLD)?PWD$|\[REDACTED:/;

const MAYBE_SECRET =
  /pass|pwd|pw$|secret|token|key|auth|cred|cookie|sig|mnemonic|phrase|seed|words|^code$|device_?code|code_?verifier|pat$|[^\x00-\x7f]|senha|clave|nnwort|wachtw|senord|deord|angskode|asana|haslo|heslo|jelszo|sifre|parol|sandi|laluan|geslo|lozin|zapor|parool|khau|contrase|mdp/i;

/** One cheap test that rejects most names. */
export function mayBeSecretKey(name: string): boolean {
  return MAYBE_SECRET.test(name);
}

/** The last words decide, so only the end of a longer name is checked. */
const MAX_NAME_CHARS = 100;

/** Cached: a file repeats the same few names. */
const cache = new Map<string, SecretKey | undefined>();
const MAX_CACHED_NAMES = 500;

export function secretKey(name: string): SecretKey | undefined {
  const suffix = name.slice(-MAX_NAME_CHARS);
  if (!MAYBE_SECRET.test(suffix) || NEVER_SECRET.test(suffix)) return undefined;
  if (cache.has(suffix)) return cache.get(suffix);
  const key = keyOfWords(suffix);
  if (cache.size >= MAX_CACHED_NAMES) cache.clear();
  cache.set(suffix, key);
  return key;
}

function keyOfWords(suffix: string): SecretKey | undefined {
  const words = wordsOf(suffix);
  while (words.length > 1 && QUALIFIER.test(words.at(-1)!)) words.pop();
  const joined = words.join("");
  for (const [pattern, kind, weak] of KEY_PATTERNS) {
    if (!pattern.test(joined)) continue;
    const isAction = words.length > 1 && NOT_A_VALUE.test(words[0]!) && joined !== "setcookie";
    return isAction ? undefined : { kind, weak };
  }
  return undefined;
}

/** True for "password", "API_KEY", "access-token": the name of a secret, used as a value. */
export function isSecretName(value: string): boolean {
  if (value.length > 60 || !/^[A-Za-z][A-Za-z _.-]*$/.test(value)) return false;
  const words = wordsOf(value);
  return words.every((word) => SECRET_WORD.test(word)) && words.some((word) => MAYBE_SECRET.test(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[\s_.:\-[\]"'$@]+/u)
    .filter((word) => word !== "");
}

const SECRET_WORD =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|keys?|apikey|api|access|auth|authorization|authorisation|bearer|basic|client|user|db|database|refresh|id|jwt|private|public|csrf|xsrf|session|cookie|current|new|old|confirm|github|gitlab|npm|aws|my|app|name|header|x)$/;

const QUALIFIER =
  /^(?:\d+|prod|production|dev|development|test|testing|staging|stage|live|local|old|new|current|previous|backup|base|value|val|raw|plain|plaintext|text|string|str|default|v\d)$/;

/** First words that make the name an action, a question or a position. */
const NOT_A_VALUE =
  /^(?:forgot|reset|show|hide|is|has|have|requires?|required|needs?|use|uses|no|validate|verify|check|toggle|generate|hash|compare|get|set|set|fetch|load|parse|read|missing|invalid|empty|wrong|bad|max|min|num|next|page|continuation|cancel|cancellation|lookahead|peek|eos|bos|pad|unk|sep|cls|mask|stop|special|keyword|start|end|first|last|prev|per|total|punctuation|operator|syntax|primary|foreign|public|cache|sort|partition|idempotency)$/;

/** With blanks removed: "mot de passe" is "motdepasse". */
const PASSWORD_IN_OTHER_LANGUAGES = new RegExp(
  `(?:${[
    "비밀번호|비번|암호|패스워드|密码|密碼|口令|暗証番号|パスワード|รหัสผ่าน|पासवर्ड|कूटशब्द",
    "пароль|парола|лозинка|κωδικόςπρόσβασης|συνθηματικό|كلمةالمرور|كلمةالسر|رمزعبور|סיסמה|סיסמא",
    "contraseña|contrasena|contrasenya|contrasinal|senha|palavrapasse|motdepasse|codesecret|parolaordine",
    "kennwort|wachtwoord|lösenord|losenord|adgangskode|kodeord|passord|salasana|lykilorð",
    "hasło|haslo|heslo|jelszó|jelszo|geslo|lozinka|zaporka|slaptažodis|parool|şifre|sifre|parolă",
    "mậtkhẩu|matkhau|katasandi|katalaluan",
  ].join("|")})$`,
  "u",
);

const KEY_PATTERNS: readonly (readonly [RegExp, string, boolean])[] = [
  [
    /(?:password|passwd|passphrase|passwort|passcode|userpwd)$|(?:^|[a-z])pwd$|^pgpass$|sshpass$/,
    "password",
    false,
  ],
  [
    /(?:db|smtp|imap|mysql|mariadb|pg|postgres|redis|mongo|rabbitmq|rabbit|mq|sql|oracle|ldap|bind|user|admin|root|mail|email|ftp|sftp|login|keystore|truststore|store|key|sudo|become|ansible|ssh|vault|enable|proxy|http|auth|basic|conn|wifi|vpn|require|service|svc|app|jenkins|nexus|backup|zip)pass$/,
    "password",
    false,
  ],
  [/^(?:pass|pw|mdp|clave|parola)$|(?:db|user|admin|root)pw$/, "password", true],
  [/(?:bind|root|ldap|sudo)pw$/, "password", false],
  [PASSWORD_IN_OTHER_LANGUAGES, "password", false],
  [/secretaccesskey$|awssecret(?:key)?$/, "aws-secret-key", false],
  [/private(?:ssh|rsa|pgp|gpg)?key$|(?:ssh|rsa|gpg|pgp)privatekey$/, "private-key", false],
  [/accesskeyid$/, "aws-access-key", true],
  [/api(?:secret)?key$|apisecret$/, "api-key", false],
  [/secret(?:key)?$|secretkeybase$/, "secret", false],
  [
    /^(?:wallet|bip39|secret|my)?(?:mnemonic|(?:seed|recovery|backup|mnemonic)(?:phrase|words?))$/,
    "seed-phrase",
    false,
  ],
  [/token$/, "token", false],
  [
    /(?:access|encryption|encrypt|signing|account|auth|master|service|deploy|admin|consumer|subscription|shared|aes|hmac|jwt|cipher|webhook|write|ingest|ingestion|integration|instrumentation|storage|openai|anthropic|gemini|stripe|sendgrid|mailgun|datadog|rediscli)key$/,
    "api-key",
    false,
  ],
  [/(?:license|session|client|app)key$/, "api-key", true],
  [/(?:github|gitlab|gh|gl|azure|azdo|ado|devops|bitbucket)pat$/, "token", false],
  [/^(?:authorization|auth|oauth|device)code$/, "oauth-code", true],
  [/codeverifier$|clientassertion$/, "secret", true],
  [/^masterauth$/, "password", false],
  [/^(?:x?proxy)?authorization$|^xauth(?:orization)?$|^npmauth$|^rediscliauth$/, "authorization", false],
  [/^(?:set)?cookie$|^sessioncookie$|^gitlabsession$/, "cookie", false],
  [/^(?:auth|credentials?)$|credential$/, "secret", true],
  [/^(?:sig|xamzsignature|xgoogsignature)$/, "signature", true],
];
