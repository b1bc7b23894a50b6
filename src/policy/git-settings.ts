import type { ShellCommand } from "./shell/shell-reading.ts";

/**
 * Git settings that only change how git displays, compares or names things. Any other may be a command, a file with
 * commands, or decide where code comes from, so it is asked about: git and its extensions keep adding such keys.
 */
const HARMLESS: readonly string[] = [
  String.raw`(?:user|author|committer)\.(?:name|email|useconfigonly|signingkey)`,
  String.raw`(?:color|column|advice|blame|status|rerere|stash|feature|index|notes|versionsort|showbranch)\.[\w.-]+`,
  String.raw`core\.(?:abbrev|autocrlf|bigfilethreshold|checkstat|commentchar|commentstring|commitgraph|compression|eol|excludesfile|filemode|fscache|ignorecase|logallrefupdates|longpaths|loosecompression|multipackindex|precomposeunicode|preloadindex|quotepath|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|splitindex|symlinks|trustctime|untrackedcache|warnambiguousrefs|whitespace)`,
  String.raw`init\.(?:defaultbranch|defaultobjectformat)`,
  String.raw`branch\.(?:autosetup(?:merge|rebase)|sort|.+\.(?:remote|merge|rebase|pushremote|description|mergeoptions|vscode-merge-base|gh-merge-base))`,
  String.raw`pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags|recursesubmodules|useforceifincludes|gpgsign)`,
  String.raw`fetch\.(?:prune|prunetags|parallel|writecommitgraph|recursesubmodules|all|output|showforcedupdates)`,
  String.raw`merge\.(?:conflictstyle|ff|stat|log|renames|renamelimit|autostash|branchdesc|directoryrenames|defaulttoupstream|verbosity|tool|guitool|renormalize)`,
  String.raw`diff\.(?:algorithm|colormoved|colormovedws|context|interhunkcontext|dirstat|ignoresubmodules|indentheuristic|mnemonicprefix|noprefix|srcprefix|dstprefix|relative|renames|renamelimit|statgraphwidth|statnamewidth|submodule|suppressblankempty|tool|guitool|wordregex|wserrorhighlight|orderfile)`,
  String.raw`diff\.[^.]+\.(?:xfuncname|funcname|binary|algorithm|wordregex)`,
  String.raw`(?:mergetool|difftool)\.(?:prompt|keepbackup|keeptemporaries|hideresolved|writetotemp|trustexitcode|guidefault)`,
  String.raw`rebase\.(?:autosquash|autostash|stat|updaterefs|missingcommitscheck|abbreviatecommands|forkpoint|reschedulefailedexec|rebasemerges|instructionformat|maxlabellength)`,
  String.raw`log\.(?:abbrevcommit|date|decorate|diffmerges|excludedecoration|follow|graphcolors|initialdecorationset|mailmap|showroot)|(?:log|format|pretty)\.pretty|pretty\.\w+`,
  String.raw`format\.(?:numbered|signoff|suffix|subjectprefix|coverletter|thread|forceinbodyfrom|mboxrd|notes|useautobase|encodeemailheaders)`,
  String.raw`grep\.(?:linenumber|column|patterntype|extendedregexp|threads|fullname|fallbacktonoindex)`,
  String.raw`commit\.(?:gpgsign|verbose|status|cleanup|template)|tag\.(?:gpgsign|sort|forcesignannotated)|gpg\.(?:format|mintrustlevel)|gpg\.ssh\.allowedsignersfile`,
  String.raw`gc\.(?:auto|autodetach|autopacklimit|aggressivewindow|aggressivedepth|bigpackthreshold|cruftpacks|logexpiry|maxcruftsize|packrefs|pruneexpire|reflogexpire|reflogexpireunreachable|rerereresolved|rerereunresolved|worktreepruneexpire|writecommitgraph)`,
  String.raw`pack\.(?:threads|window|windowmemory|depth|compression|deltacachesize|packsizelimit|indexversion|writebitmaphashcache|usesparse|islandcore)|repack\.\w+|commitgraph\.\w+`,
  String.raw`apply\.(?:whitespace|ignorewhitespace)|am\.(?:keepcr|threeway|messageid)|clean\.requireforce|worktree\.(?:guessremote|userelativepaths)`,
  String.raw`checkout\.(?:defaultremote|guess|workers|thresholdforparallelism)|switch\.\w+|clone\.(?:defaultremotename|rejectshallow|filtersubmodules)`,
  String.raw`submodule\.(?:recurse|fetchjobs|propagatebranches|.+\.(?:active|branch|ignore|shallow|fetchrecursesubmodules))`,
  String.raw`remote\..+\.(?:fetch|push|prune|prunetags|tagopt|skipdefaultupdate|skipfetchall|mirror|promisor|partialclonefilter|gh-resolved|followremotehead)|remote\.pushdefault`,
  String.raw`http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|maxrequests|minsessions|keepalive\w*)|protocol\.version|transfer\.(?:fsckobjects|unpacklimit|hiderefs|credentialsinurl|advertise\w+)|(?:fetch|receive)\.(?:fsckobjects|unpacklimit)`,
  String.raw`i18n\.(?:commitencoding|logoutputencoding)|gui\.(?:encoding|fontui|fontdiff|wmstate|geometry|recentrepo)|lfs\.(?:concurrenttransfers|fetchinclude|fetchexclude|locksverify|skipdownloaderrors|activitytimeout|dialtimeout)|lfs\..+\.(?:access|locksverify)`,
];
const IS_HARMLESS = new RegExp(`^(?:${HARMLESS.join("|")})$`, "is");
/** A URL to fetch from; harmless unless it names a helper that runs a program. */
const IS_ADDRESS = /^remote\..+\.(?:url|pushurl)$/is;
/** `ext::sh -c x`: a git transport that is a program. */
const IS_HELPER = /^[a-z][\w+.-]*::/i;
/** A pager or editor is harmless only if it is one of these programs. */
const PAGER_OR_EDITOR = /^(?:core\.(?:pager|editor)|sequence\.editor|pager\.[\w-]+)$/i;
const HARMLESS_PAGER = /^(?:|true|false|:|cat|less|vi|vim|nvim|nano|emacs)$/;

/** Whether a setting may run a command later, or decide what is fetched and run. */
function isRisky(key: string, value: string): boolean {
  if (IS_ADDRESS.test(key)) return IS_HELPER.test(value);
  if (PAGER_OR_EDITOR.test(key)) return !HARMLESS_PAGER.test(value);
  return !IS_HARMLESS.test(key);
}

/** Git's own options, before its subcommand, with a value in the next word. */
const GLOBAL_OPTION_WITH_VALUE =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix)$/;

/** Git's subcommand and the words after it. */
function verbOf(texts: readonly string[]): readonly string[] {
  let at = 0;
  while (texts[at]?.startsWith("-")) at += GLOBAL_OPTION_WITH_VALUE.test(texts[at]!) ? 2 : 1;
  return texts.slice(at);
}

/** They connect to the named repository. */
const TRANSPORTS =
  /^(?:clone|fetch|pull|push|ls-remote|remote|submodule|archive|fetch-pack|send-pack|remote-ext|remote-fd|subtree)$/;

/** Whether a git command changes what runs later: a setting, a template, a transport, a hook. */
export function gitRunsLater({ args }: ShellCommand): boolean {
  const texts = args.map((word) => word.text);
  const [verb = "", ...rest] = verbOf(texts);
  if (settingsOf(texts, verb).some(([key, value]) => isRisky(key, value))) return true;
  switch (verb) {
    case "config":
      return setsRiskyConfig(rest);
    case "clone":
    case "init":
      if (rest.some((text) => /^--template(?:=|$)/.test(text))) return true;
      break;
    case "submodule":
      if (rest.includes("set-url")) return true;
      break;
    case "lfs":
      return /^(?:install|update|track|untrack)$/.test(rest[0] ?? "");
    case "maintenance":
      return /^(?:start|register)$/.test(rest[0] ?? "");
    case "flow":
    case "secret":
    case "crypt":
    case "annex":
      return /^(?:init|reinit)$/.test(rest[0] ?? "");
  }
  return TRANSPORTS.test(verb) && rest.some((text) => IS_HELPER.test(text.replace(/^--\w+=/, "")));
}

/** Settings for one call: `-c x=y`, `-cx=y`, `--config-env=x=y`, `clone --config x=y`. */
function settingsOf(texts: readonly string[], verb: string): readonly (readonly [string, string])[] {
  const end = texts.indexOf(verb);
  return texts.flatMap((text, at) => {
    const isOfGit = verb === "" || at < end;
    if (!isOfGit && verb !== "clone") return [];
    const isNext = /^(?:-c|--config|--config-env)$/.test(texts[at - 1] ?? "");
    const setting = isNext ? text : /^(?:-c|--config=|--config-env=)(?=\w)(.+)$/s.exec(text)?.[1];
    if (setting === undefined) return [];
    const equals = setting.indexOf("=");
    return [
      equals < 0 ? ([setting, "true"] as const) : [setting.slice(0, equals), setting.slice(equals + 1)],
    ];
  });
}

const CONFIG_OPTION_WITH_VALUE = /^(?:-f|--file|--blob|--type|--default|--comment|--value|--url)$/;
const CONFIG_READS = /^(?:-l|--list|--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?)$/;
const EDITS_FILE = /^(?:-e|--(?:e|ed|edi|edit)|--re[mn].*|edit|rename-section|remove-section)$/;
const UNSETS = /^--un/;
const CONFIG_VERBS = /^(?:list|get|set|unset|rename-section|remove-section|edit)$/;

/** `git config …`: whether it sets anything that is not known to be harmless. */
function setsRiskyConfig(rest: readonly string[]): boolean {
  const words = rest.filter(
    (text, at) => !text.startsWith("-") && !CONFIG_OPTION_WITH_VALUE.test(rest[at - 1] ?? ""),
  );
  const options = rest.filter((text) => text.startsWith("-"));
  const verb = CONFIG_VERBS.test(words[0] ?? "") ? words[0]! : "";
  const [key = "", value] = verb === "" ? words : words.slice(1);
  if (options.some((text) => EDITS_FILE.test(text)) || EDITS_FILE.test(verb)) return true;
  if (options.some((text) => UNSETS.test(text)) || verb === "unset") return isRisky(key, "");
  if (verb === "list" || verb === "get" || options.some((text) => CONFIG_READS.test(text))) return false;
  return value !== undefined && isRisky(key, value);
}

/** `git rev-parse --git-path hooks/x`: git's own folder, relative to where it runs. */
export function printedGitFolder({ name, args }: ShellCommand): string | undefined {
  const texts = args.map((word) => word.text);
  if (name !== "git" || !texts.includes("rev-parse")) return undefined;
  const at = texts.indexOf("--git-path");
  if (at >= 0) return `.git/${texts[at + 1] ?? ""}`;
  return texts.some((text) => /^--(?:absolute-git-dir|git-dir|git-common-dir)$/.test(text))
    ? ".git"
    : undefined;
}
