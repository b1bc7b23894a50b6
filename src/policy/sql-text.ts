import { queryForms } from "./sql-forms.ts";
import { spend } from "./work.ts";

/**
 * Statements with which a database runs a program or uses files of its machine, and commands of database clients: both
 * reach beyond the tables that a query is for.
 */

/** Distinctive functions and keywords, by system. */
const REACHES_OUTSIDE: readonly RegExp[] = [
  // PostgreSQL
  /\buescape\b/i,
  /\b(?:pg_read_(?:binary_)?file|pg_ls_\w+|pg_stat_file|pg_file_\w+|pg_logdir_ls|pg_execute_server_program|pg_reload_conf|pg_terminate_backend|lo_(?:import|export|from_bytea|put)|dblink\w*|plpython\w*|query_to_xml_file)\s*\(/i,
  /\balter\s+system\b|\bdo\s+(?:language\s+)?['"]?(?:plpython|plperlu|plsh)/i,
  // MySQL and MariaDB
  /\bload_file\s*\(|\binto\s+(?:out|dump)file\b|\bload\s+table\b/i,
  /\b(?:install\s+(?:plugin|component|soname)|sys_(?:exec|eval|get|set)\s*\(|(?:general_log|slow_query_log)_file)\b/i,
  // SQL Server
  /\b(?:xp_(?:cmdshell|dirtree|fileexist|subdirs|reg\w+|instance_reg\w+|servicecontrol|create_subdir|delete_file\w*)|sp_oa(?:create|method)|sp_execute_external_script|sp_addextendedproc|sp_configure|sp_start_job|sp_add_job\w*)\b/i,
  /\b(?:openrowset|opendatasource|openquery)\s*\(|\bbulk\s+insert\b|\bcreate\s+assembly\b/i,
  // Oracle and DB2
  /\b(?:utl_(?:file|http|tcp|smtp|inaddr)|dbms_(?:scheduler|java|xslprocessor|lob\.(?:bfile|loadfromfile)|advisor|ldap|pipe)|httpuritype|bfilename)\b|\bcreate\s+(?:or\s+replace\s+)?(?:directory|library|java)\b|\badmin_cmd\s*\(/i,
  // SQLite and DuckDB
  /\battach\b\s*(?:database\b|or\s+replace\b|if\s+not\s+exists\b|x?['"`[(:?$]|\w+\s+as\b)|\b(?:readfile|writefile|load_extension|fsdir|lsmode|edit|fts3_tokenizer|zipfile)\s*\(/i,
  /\b(?:read_(?:text|blob|csv\w*|json\w*|ndjson\w*|parquet|xlsx)|(?:parquet|sqlite|postgres|mysql|csv|iceberg|delta)_scan|sniff_csv|getenv)\s*\(|\b(?:from|join)\s+'(?=[^'\s./]*[./])[^'\s]+'|\b(?:export|import)\s+database\b|\b(?:force\s+)?install\s+(?!plugin)['"\w]+\s*(?:from\b[^;]*)?(?:;|$)|^[ \t]*load\s+['"\w./-]+[\s;]*$|\bcreate\s+(?:persistent\s+)?secret\b/im,
  /\b(?:from|join)\s+(?:\w+\.)?["`](?:[^"`\s]*\/[^"`]*|[^"`\s]+\.(?:[ct]sv|json[l]?|ndjson|parquet|txt|xlsx|gz|zst|db|sqlite3?|duckdb|arrow|orc|avro|log|env))["`]|(?:^|;)\s*load\s+'/im,
  // ClickHouse, Snowflake, Spark, Neo4j, Redis
  /\b(?:from|into)\s+(?:infile\b|table\s+function\b)|\b(?:from|join|function)\s+(?:file|url|s3|executable|hdfs|remote|remoteSecure|mysql|postgresql|sqlite|odbc|jdbc)\s*\(/i,
  /^\s*(?:put|get)\s+'?(?:file:|@)|\badd\s+(?:jar|file|archive)\s|\bload\s+csv\b|\bapoc\.(?:load|export|import|util\.sleep|systemdb|custom)\b|\bdbms\.(?:security|setConfigValue)/i,
  /^\s*(?:config\s+set|module\s+load(?:ex)?|slaveof|replicaof|debug\s|script\s+debug|migrate\s|save\b|bgsave\b|shutdown\b)/i,
];

/** Statements by their start, and by what follows at any distance. */
const REACHES_OUTSIDE_LATER: readonly (readonly [RegExp, RegExp])[] = [
  [/\bcopy\b/i, /\b(?:from|to)\s*(?:\bprogram\b|(?:\b[enxb])?'|\$\w*\$)/i],
  [
    /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure|language|extension|server|foreign\s+table)\b/i,
    /\b(?:language\s+['"]?(?:c|internal|java|javascript|python|[a-z\d]+u|plsh|pllua|plr)\b|soname\b|file_fdw|dblink|plpython\w*|plperlu|plsh|adminpack|http\b|lo\b|program\b)/i,
  ],
  [/\bload\s+(?:data|xml)\b/i, /\binfile\b/i],
  [/\b(?:backup|restore)\s+(?:database|log)\b/i, /\b(?:disk|url)\s*=/i],
  [/\bvacuum\b/i, /\binto\b/i],
];

function reachesOutsideLater(text: string): boolean {
  return text.split(";").some((statement) =>
    REACHES_OUTSIDE_LATER.some(([start, after]) => {
      const found = start.exec(statement);
      return found !== null && after.test(statement.slice(found.index + found[0].length));
    }),
  );
}

/** Commands of a database client itself: `.shell`, `\!`, `source x`. */
const CLIENT_COMMAND =
  /^[ \t]*(?:\.(?:shell|system|read|load|output|once|excel|import|open|backup|save|restore|clone|log|cd|archive|ar|trace|www|session|dump|recover|expert)\b|(?:system|source|tee|pager|edit|!!|host|spool|@@?[\w./])\s*\S)/im;

/** `\!` and the like of psql may also follow a statement. */
const BACKSLASH_COMMAND =
  /(?:^|[\s;])\\(?:!|copy\b|i[r]?\b|include(?:_relative)?\b|o\b|out\b|w\b|write\b|e\b|edit\b|ef\b|g\s+[|/~.\w]|cd\b|lo_\w+|setenv\b|s\s)/i;

/** Text that starts like a statement, or like a client command. */
const STATEMENT =
  /^(?:\s|--[^\n]*\n|\/\*[^*]*\*\/|\()*(?:select\b|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\b|insert\s+(?:or\s+\w+\s+)?into\b|update\s+\S+\s+set\b|delete\s+from\b|copy\b(?:\s|\/\*)*(?:\(|\S{1,200}[^;]{0,200}\b(?:from|to)\b)|create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|extension|language|server|foreign|secret|persistent|directory|library|assembly|java|trigger)\b|alter\s+(?:system|table|role|database)\b|exec(?:ute)?\s+[\w.@'(]|declare\s+@|attach\s+(?:database\s+)?['"(]|vacuum\b|load\s+(?:data|xml|csv)\b|bulk\s+insert\b|(?:backup|restore)\s+(?:database|log)\b|(?:export|import)\s+database\b|explain\b|merge\s+into\b|pragma\b|do\s+(?:\$|language\b|'))/i;

/** Whether a text is a query that stays in its tables: its values are data, whatever they look like. */
export function isPlainQuery(text: string, toolName: string, key: string): boolean {
  return isQueryField(toolName, key) && STATEMENT.test(text) && !escapesDatabase(text, true);
}

/** A longer text is not judged as a query. */
const MAX_QUERY_LENGTH = 32_768;

/** Whether a statement makes a database or its client reach outside it. `isQuery`: it certainly is one. */
export function escapesDatabase(text: string, isQuery: boolean): boolean {
  spend(16 * Math.min(text.length, MAX_QUERY_LENGTH));
  if (!(isQuery || STATEMENT.test(text))) return false;
  if (text.length > MAX_QUERY_LENGTH) return true;
  const forms = queryForms(text);
  spend(16 * (forms.length - 1) * text.length);
  return forms.map(withoutValues).some((plain) => {
    if (REACHES_OUTSIDE.some((pattern) => pattern.test(plain)) || reachesOutsideLater(plain)) return true;
    return isQuery && (CLIENT_COMMAND.test(plain) || BACKSLASH_COMMAND.test(plain));
  });
}

/** Compared or stored values mean nothing, unless the statement runs its own strings. */
function withoutValues(text: string): string {
  if (/\b(?:exec(?:ute)?|prepare|sp_executesql|query_to_xml|do)\b/i.test(text)) return text;
  return text.replace(/'[^']*'/g, (value) => (/\s/.test(value) ? "''" : value));
}

/** The commands that such a statement runs. It is asked about anyway, so a longer one may be left out. */
export function commandsInQuery(text: string): readonly string[] {
  const found = [
    ...text.matchAll(/\bprogram\s+E?'((?:[^']|''){1,2000})'/gi),
    ...text.matchAll(/\b(?:xp_cmdshell|sys_exec|sys_eval|executable)\W{1,4}'((?:[^']|''){1,2000})'/gi),
    ...text.matchAll(/(?:^[ \t]*(?:\.(?:shell|system)|system|!!?|host)|(?:^|[\s;])\\!)\s+([^\n]{1,2000})/gim),
    ...text.matchAll(/^[ \t]*\.(?:output|once|import)\s+['"]?\|\s*([^\n'"]{1,2000})/gim),
  ];
  return found.map(([, command = ""]) => command.replaceAll("''", "'"));
}

/** Names of tools for databases. */
const DATABASE_TOOL =
  /sql|postgres|(?:^|[^a-z])(?:pg|db|dbs|psql|rdb)(?:[^a-z]|$)|maria|duckdb|database|clickhouse|snowflake|bigquery|oracle|redshift|trino|presto|supabase|neon|dbhub|cockroach|timescale|athena|databricks|neo4j|cypher|redis|motherduck|turso|libsql|planetscale/i;
const QUERY_KEY = /^(?:sql|query|queries|statement|statements|stmt|cypher|sql_?query|sql_?text)$|sql$/i;
const RUNS_QUERIES = /(?:^|[_-])(?:query|queries|execute|run)(?:[_-]|$)/i;
const SEARCHES_TEXT =
  /docs?(?:[^a-z]|$)|knowledge|search|librar|wiki|web|graphql|logs?(?:[^a-z]|$)|metric|context/i;

/** Whether a value of a tool's input is a query, by its key and the tool's name. */
export function isQueryField(toolName: string, key: string): boolean {
  if (/sql|statement|stmt|cypher/i.test(key)) return true;
  if (DATABASE_TOOL.test(toolName)) return true;
  const verb = toolName.split("__").at(-1) ?? toolName;
  return QUERY_KEY.test(key) && RUNS_QUERIES.test(verb) && !SEARCHES_TEXT.test(toolName);
}
