/** Texts with a secret, the secret itself, and the kind it is masked as. Tokens are made up here, at run time. */
export interface SecretCase {
  readonly text: string;
  readonly secret: string;
  readonly kind: string;
}

/** Made-up characters that look random and are always the same. */
function made(length: number, alphabet: string): string {
  let seed = length * 7919 + alphabet.length;
  let out = "";
  for (let n = 0; n < length; n++) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    out += alphabet[(seed >> 8) % alphabet.length];
  }
  return out;
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const alnum = (length: number) => made(length, "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789");
const hex = (length: number) => made(length, "0123456789abcdef");
const base64Lines = (lines: number) =>
  Array.from({ length: lines }, (_, n) => alnum(64 - (n % 2) * 0)).join("\n");

export const PEM_BODY = base64Lines(4);
const jwt = `eyJ${alnum(20)}.eyJ${alnum(40)}.${alnum(43)}`;
const awsSecret = `${alnum(20)}/${alnum(10)}+${alnum(8)}`;

const token = (kind: string, secret: string, text = (s: string) => s): SecretCase => ({
  text: text(secret),
  secret,
  kind,
});

export const SECRETS: readonly SecretCase[] = [
  // the six patterns of the specification
  token("password", "hunter2", (s) => `password=${s}`),
  token("password", "hunter2", (s) => `password: ${s}`),
  token("password", "hunter2", (s) => `password = "${s}"`),
  token("password", "hunter2", (s) => `PASSWORD='${s}'`),
  token("api-key", "a8f5f167f44f", (s) => `api_key: ${s}`),
  token("api-key", "a8f5f167f44f", (s) => `apiKey = "${s}"`),
  token("api-key", "abcdefgh", (s) => `"api-key": "${s}"`),
  token("secret", "s3cr3tvalue", (s) => `secret=${s}`),
  token("secret", "topsecretvalue", (s) => `client_secret: '${s}'`),
  token("token", "abc123def456", (s) => `token: ${s}`),
  token("token", "abcdef", (s) => `{"token":"${s}"}`),
  token("bearer", "abc123.def-456_ghi", (s) => `bearer ${s}`),
  token("private-key", "-----BEGIN RSA PRIVATE KEY-----"),
  token("private-key", "-----BEGIN PRIVATE KEY-----"),

  // names and values, in many notations
  token("password", "letmein", (s) => `password=${s}`),
  token("password", "letmein", (s) => `db:\n  user: bob\n  password: ${s}\n  host: h`),
  token("password", "correct-horse-battery", (s) => `password: ${s}`),
  token("password", "p@ss,w0rd;x", (s) => `DB_PASSWORD=${s}`),
  token("password", "mysecretpassword", (s) => `docker run -e POSTGRES_PASSWORD=${s} postgres`),
  token("password", "postgres", (s) => `POSTGRES_PASSWORD=${s}`),
  token("password", "abc123", (s) => `PGPASSWORD=${s} psql -h db`),
  token("password", "hunter2", (s) => `mysqldump --password=${s} db`),
  token("password", "hunter2", (s) => `tool --password ${s} run`),
  token("password", "my pass 1", (s) => `tool --password "${s}" run`),
  token("token", "t0k3nvalue", (s) => `deploy --token ${s}`),
  token("aws-secret-key", awsSecret, (s) => `export AWS_SECRET_ACCESS_KEY=${s}`),
  token("aws-secret-key", awsSecret, (s) => `aws_secret_access_key = ${s}`),
  token("aws-secret-key", awsSecret, (s) => `"SecretAccessKey": "${s}",`),
  token("password", "x", (s) => `{"user":"bob","password":"${s}"}`),
  token("password", "x", (s) => `{\\"user\\":\\"bob\\",\\"password\\":\\"${s}\\"}`),
  token("password", 'a\\"b', (s) => `{"password":"${s}","n":1}`),
  token("password", "hunter2", (s) => `"{\\\\\\"password\\\\\\":\\\\\\"${s}\\\\\\"}"`),
  token("password", "hunter2", (s) => `line one\\npassword=${s}\\nline three`),
  token("password", "hunter2", (s) => `const password: string = "${s}";`),
  token("token", "Zx81kLmN0pQr", (s) => `const TOKEN: &str = "${s}";`),
  token("password", "hunter2", (s) => `const password = process.env.PASSWORD || "${s}";`),
  token("token", "k3yk3yk3y", (s) => `os.getenv("API_TOKEN", "${s}")`),
  token("password", "hunter2", (s) => `config["password"] = "${s}"`),
  token("password", "hunter2", (s) => `:password => "${s}"`),
  token("password", "hunter2", (s) => `<password>${s}</password>`),
  token("password", "hunter2", (s) => `- name: DB_PASSWORD\n  value: ${s}`),
  token("password", "Sup3rS3cret", (s) => `<add key="DbPassword" value="${s}"/>`),
  token("password", "hunter2", (s) => `Server=db;User Id=sa;Password=${s};Encrypt=true`),
  token("password", "letmein", (s) => `https://h/login?user=bob&password=${s}&next=1`),
  token("password", "87654321", (s) => `password: ${s}`),
  token("password", "correct horse battery staple", (s) => `"password": "${s}"`),
  token("password", "hunter2", (s) => `spring.datasource.password=${s}`),
  token("password", "hunter2", (s) => `SMTP_PASSWORD_PROD=${s}`),
  token("password", "hunter2", (s) => `비밀번호: ${s}`),
  token("password", "Tr0ub4dor", (s) => `the password is ${s}.`),
  token("password", "hunter2", (s) => `     7→  password: ${s}`),
  token("password", "hunter2", (s) => `+  password: ${s}`),
  token("secret", alnum(32), (s) => `  "clientSecret": "${s}",`),
  token(
    "api-key",
    `${alnum(86)}==`,
    (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s};EndpointSuffix=x`,
  ),
  token("cookie", `sid=${alnum(30)}; theme=dark`, (s) => `Cookie: ${s}`),
  token("authorization", alnum(24), (s) => `Authorization: ${s}`),
  token("bearer", alnum(24), (s) => `Authorization: Bearer ${s}`),
  token("bearer", "dXNlcjpwYXNzd29yZA==", (s) => `-H "Authorization: Basic ${s}"`),
  token("bearer", alnum(32), (s) => `headers: {"Authorization": "Bearer ${s}"}`),
  token("api-key", alnum(20), (s) => `curl -H "X-Api-Key: ${s}" https://x`),
  token("password", "s3cr3t", (s) => `curl -u admin:${s} https://x`),
  token("password", "s3 cr3t", (s) => `curl --user "admin:${s}" https://x`),
  token("password", "dckrpass", (s) => `docker login -u bob -p ${s} registry.io`),
  token("password", "hunter2", (s) => `mysql -u root -p${s} db`),
  token("password", "hunter2", (s) => `sshpass -p ${s} ssh host`),
  token("token", alnum(36), (s) => `//registry.example.com/:_authToken=${s}`),

  token("password", "hunter2", (s) => `ALTER USER bob WITH PASSWORD '${s}';`),
  token("password", "hunter2", (s) => `CREATE USER bob IDENTIFIED BY '${s}'`),
  token("password", "hunter2", (s) => `#define PASSWORD "${s}"`),
  token("password", "hunter2", (s) => `login(user=bob, password=${s})`),
  token("password", "hunter2", (s) => `password = ${s};`),
  token("password", "a b c", (s) => `PASSWORD="${s}"`),
  token("api-key", "abc123def456", (s) => `my API key: ${s}`),
  token("token", "abc123def456", (s) => `TOKEN: ${s},`),
  token("secret", "GOCSPX-abc", (s) => `client_secret=${s}`),
  token("token", "ya29.a0AfH6SMBx", (s) => `access_token=${s}`),
  token("bearer", "secrettoken", (s) => `-H 'Authorization: Bearer ${s}'`),

  // URLs
  token("connection-string", "pass", (s) => `postgres://user:${s}@host:5432/db`),
  token("connection-string", "p/w#d", (s) => `mysql://root:${s}@db.example.com/app`),
  token("connection-string", "p%40ss", (s) => `mongodb+srv://u:${s}@c0.abc.mongodb.net`),
  token("connection-string", "hunter2", (s) => `redis://:${s}@localhost:6379/0`),
  token("password", "pw", (s) => `https://bob:${s}@example.com/x`),
  token("password", "p@ss", (s) => `https://bob:${s}@example.com/x`),
  token("token", hex(40), (s) => `https://${s}@github.com/o/r.git`),

  // formats
  token("aws-access-key", `AKIA${made(16, UPPER)}`),
  token("aws-access-key", `ASIA${made(16, UPPER)}`, (s) => `AWS_ACCESS_KEY_ID=${s}`),
  token("github-token", `ghp_${alnum(36)}`),
  token("github-token", `ghs_${alnum(36)}`, (s) => `https://x-access-token:${s}@github.com/o/r`),
  token("github-token", `github_pat_${alnum(22)}_${alnum(59)}`, (s) => `GITHUB_TOKEN=${s}`),
  token("github-token", `gho_${alnum(36)}`, (s) => `\u001b[32m${s}\u001b[0m`),
  token("gitlab-token", `glpat-${alnum(20)}`),
  token("slack-token", `xoxb-${made(12, "123456789")}-${made(12, "123456789")}-${alnum(24)}`),
  token(
    "slack-webhook",
    `hooks.slack.com/services/T${alnum(8)}/B${alnum(8)}/${alnum(24)}`,
    (s) => `https://${s}`,
  ),
  token("stripe-key", `sk_live_${alnum(24)}`),
  token("google-api-key", `AIza${alnum(35)}`, (s) => `?key=${s}&x=1`),
  token("anthropic-key", `sk-ant-api03-${alnum(93)}AA`),
  token("openai-key", `sk-proj-${alnum(74)}T3BlbkFJ${alnum(74)}`),
  token("openai-key", `sk-${alnum(48)}`, (s) => `key\\n${s}`),
  token("npm-token", `npm_${alnum(36)}`),
  token("huggingface-token", `hf_${alnum(34)}`),
  token("pypi-token", `pypi-AgEIcHlwaS5vcmc${alnum(60)}`),
  token("sendgrid-key", `SG.${alnum(22)}.${alnum(43)}`),
  token("twilio-key", `SK${hex(32)}`),
  token("digitalocean-token", `dop_v1_${hex(64)}`),
  token("docker-token", `dckr_pat_${alnum(27)}`),
  token("vault-token", `hvs.${alnum(95)}`),
  token("linear-key", `lin_api_${alnum(40)}`),
  token("shopify-token", `shpat_${hex(32)}`),
  token("databricks-token", `dapi${hex(32)}`),
  token("password-hash", `$2b$10$${alnum(53)}`),
  token("jwt", jwt),
  token("jwt", jwt, (s) => `Authorization: Bearer ${s}`),
  token("jwt", jwt, (s) => `"access_token":"${s}"`),
  token("jwt", jwt, (s) => `token=${s}`),

  // PEM
  token(
    "private-key",
    `-----BEGIN RSA PRIVATE KEY-----\n${PEM_BODY}\n-----END RSA PRIVATE KEY-----`,
    (s) => `a\n${s}\nb`,
  ),
  token(
    "private-key",
    `-----BEGIN OPENSSH PRIVATE KEY-----\\n${PEM_BODY.replaceAll("\n", "\\n")}\\n-----END OPENSSH PRIVATE KEY-----`,
    (s) => `KEY="${s}\\n"`,
  ),
  token(
    "private-key",
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${PEM_BODY}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ),
  token("private-key", `-----BEGIN EC PRIVATE KEY-----\n${PEM_BODY}`, (s) => `${s}\nand then words follow`),
  token("private-key", `${PEM_BODY}\n-----END PRIVATE KEY-----`, (s) => `words before\n${s}\nwords after`),
  token("private-key", `MIIEpAIBAAKCAQEA${alnum(48)}\n${PEM_BODY}`, (s) => `cut off: ${s}\n\nmore words`),
];
