// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are a shell's
import fc from "fast-check";
import lists from "./option-lists.json" with { type: "json" };

/** Commands built from real options with harmful values. A file they would leave behind is called MARK. */

const OPTIONS: Readonly<Record<string, readonly string[]>> = lists;

const VALUE = fc.constantFrom(
  "MARK",
  "./MARK",
  "'touch MARK'",
  "'$(touch MARK)'",
  '"$(touch MARK)"',
  "'|touch MARK'",
  "'a[$(touch MARK)]'",
  "'w MARK'",
  "README.md",
  "src/a.ts",
  ".env",
  "settings.txt",
  "link-file",
  "../x",
  "src",
  ".",
  "5",
  "+2",
  "1,3",
  "auto",
  "never",
  "always",
  "full",
  "name",
  "skip",
  "recurse",
  "json",
  "'*.ts'",
  "'*'",
  "HEAD",
  "f",
  "%h",
  "%G?",
  "+%s",
  "main",
  "pid,comm",
);

const OPERAND = fc.constantFrom(
  "README.md",
  "src/a.ts",
  "src",
  ".",
  "nope",
  "HEAD",
  "foo",
  "1",
  "*.md",
  "src/*",
  "*",
  ".env",
  "settings.txt",
  "MARK",
  "'.a'",
  "p",
  "1p",
  "'{print $1}'",
  "-name",
  "'*.ts'",
  "user.name",
);

/** One option in a possible spelling: with a value, abbreviated, reordered, or clustered with another. */
function option(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names).map((each) => each.replace(/=$/, ""));
  return fc.oneof(
    { weight: 6, arbitrary: name },
    { weight: 4, arbitrary: fc.tuple(name, VALUE).map(([each, value]) => `${each}=${value}`) },
    { weight: 4, arbitrary: fc.tuple(name, VALUE).map(([each, value]) => `${each} ${value}`) },
    { weight: 1, arbitrary: fc.tuple(name, VALUE).map(([each, value]) => each + value) },
    {
      weight: 1,
      arbitrary: fc.tuple(name, fc.integer({ min: 3, max: 9 })).map(([each, end]) => each.slice(0, end)),
    },
    { weight: 1, arbitrary: name.map((each) => each.replace(/^--(?:no-)?/, "--no-")) },
    {
      weight: 1,
      arbitrary: fc.tuple(name, name).map(([a, b]) => a.slice(0, 2) + b.replace(/^-+/, "").slice(0, 1)),
    },
  );
}

const ASSIGNMENT = fc.constantFrom(
  "",
  "",
  "",
  "",
  "",
  "LC_ALL=C ",
  "NO_COLOR=1 ",
  "TZ=UTC ",
  "PATH=. ",
  "GIT_PAGER=cat ",
  "GIT_EXTERNAL_DIFF=./MARK ",
  "XDG_CONFIG_HOME=. ",
  "LD_PRELOAD=./MARK ",
  "x=1 ",
);

/** A program with up to three options and two operands. */
const PROGRAM = fc.constantFrom(...Object.keys(OPTIONS)).chain((name) =>
  fc
    .record({
      assignment: ASSIGNMENT,
      options: fc.array(option(OPTIONS[name]!), { maxLength: 3 }),
      operands: fc.array(OPERAND, { maxLength: 2 }),
      ends: fc.constantFrom("", "", "", " --"),
    })
    .map(({ assignment, options, operands, ends }) =>
      `${assignment}${[name, ...options].join(" ")}${ends} ${operands.join(" ")}`.trim(),
    ),
);

const TEXT = fc.constantFrom(
  "5",
  "x",
  "'a[$(touch MARK)]'",
  "'$(touch MARK)'",
  "'-o MARK'",
  "README.md",
  "'*'",
  "y",
  ".env",
);

/** Parts of scripts: some set a variable, some may evaluate it. */
const PIECE = fc.oneof(
  fc
    .tuple(fc.constantFrom("x", "y", "PATH", "IFS", "RANDOM", "n"), TEXT)
    .map(([name, text]) => `${name}=${text}`),
  fc
    .tuple(fc.constantFrom("x", "y"), TEXT)
    .map(([name, text]) => `for ${name} in ${text}; do echo "$${name}"; done`),
  fc
    .tuple(
      fc.constantFrom("read", "read -r", "IFS= read -r", "read -a"),
      fc.constantFrom("x", "'y[$(touch MARK)]'"),
      TEXT,
    )
    .map(([read, name, text]) => `${read} ${name} <<< ${text}`),
  fc.constantFrom(
    "echo $((x))",
    "echo $((x + 1))",
    "echo $((n++))",
    "((x))",
    "((n = 1))",
    "echo ${x:y}",
    "echo ${x:0:y}",
    "echo ${a[x]}",
    "echo ${a[0]}",
    "echo ${!x}",
    "echo ${x@P}",
    "echo ${x@Q}",
    "echo ${x:-5} ${x%.md}",
    "echo ${x:=5}",
    "echo ${#x}",
    "[[ $x -eq 5 ]]",
    "[[ x -eq 5 ]]",
    "[[ -v x ]]",
    "[[ $x == 5 ]]",
    "[ $x -eq 5 ]",
    '[ "$x" = 5 ]',
    "test -v x",
    "test -n $x",
    "printf %d x",
    "printf %d 5",
    "printf '%s' $x",
    "printf -v y %s x",
    "declare -i y=x",
    "let y=x",
    "a=(1 2)",
    "a=([x]=1)",
    "a[x]=1",
    "sort README.md $x",
    'sort README.md "$x"',
    "cat $x",
    'head -n "$x" README.md',
    "echo $x",
    "for ((n=0;n<2;n++)); do echo $n; done",
    "for ((n=x;n<2;n++)); do echo $n; done",
    "seq $x",
    "exit $x",
    "ls | xargs wc -l",
    "ls | xargs $x",
    "find src -name '*.ts' -exec head -1 {} +",
    "find . -type f -exec head -1 {} +",
    "git status --short | head -3",
    "cd src && ls",
    "cat < README.md",
    "cat < $x",
    "echo hi > MARK",
    "echo hi 2>/dev/null",
    "timeout 2 ls",
    "bash -c 'ls; echo $0'",
    'bash -c "$x"',
    "f() { ls; }; f",
    "ls() { touch MARK; }; ls",
    "sed -n 1p README.md",
    "awk '{print NR, $1}' README.md",
    "jq -n '1 + 1'",
    "x=$(head -1 README.md); echo $x",
    "while read -r x; do echo $x; done < README.md",
  ),
);

const SCRIPT = fc
  .tuple(fc.array(PIECE, { minLength: 1, maxLength: 4 }), fc.constantFrom("; ", " && ", "\n"))
  .map(([pieces, between]) => pieces.join(between));

export const GENERATED_COMMAND = fc.oneof(
  { weight: 5, arbitrary: PROGRAM },
  { weight: 2, arbitrary: SCRIPT },
  { weight: 1, arbitrary: fc.tuple(PROGRAM, PROGRAM).map(([a, b]) => `${a} | ${b}`) },
);
