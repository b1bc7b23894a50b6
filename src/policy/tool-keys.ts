/** What the values of a tool's input are for, by their keys. */

/** Keys whose values are for people or models, or are written content. */
export const TEXT_KEY =
  /^(?:content|contents|text|body|message|messages|prompt|query|question|description|title|summary|comment|comments|reason|data|html|markdown|notes?|details|subject|label|pattern|regex|old_?string|new_?string|old_?str|new_?str|snippet|caption|reply|thoughts?|explanation|rationale|feedback|headline|template|observations?|facts?)$/i;
/** Search terms. */
export const SEARCH_KEY =
  /^(?:q|search|search_?query|keywords?|terms?|phrase|filter|match|needle|find|expression|regexp?|substring|topic|symbol|language)$|(?:pattern|query|regex)$/i;
/** Content of files. */
export const CONTENT_KEY =
  /^(?:contents?|file_?text|(?:new|old)_?(?:text|string|str|source|content)|replacement|html|markdown|template)$/i;
export const COMMAND_KEY =
  /^(?:commands?|cmds?|cmd_?lines?|command_?lines?|argv|args|arguments|params|parameters|program|executable|exe|bin|binary|shell|bash|sh|zsh|line|lines|keys|stdin|invocation|entrypoint)$|_?(?:command|cmd)$/i;
/** Code of any language. */
export const CODE_KEY =
  /^(?:script|scripts|code|source|statement|statements|exec|run|input|expression|expr|eval|sql|payload|task|job|function|body)$|_?(?:script|code)$/i;
/** Folders that other names of the same input are relative to. */
export const FOLDER_KEY =
  /^(?:root|cwd|wd|pwd|chdir|at|base|dir|directory|folder|prefix|parent|repo|repository|project|workspace|home|path|location)$|(?:root|base|work(?:ing)?|current|run|exec(?:ution)?|start|project|repo|workspace)_?(?:path|dir|directory|folder)$/i;
/** Names of files with the content for each, and what a container gets of this machine. */
export const FILES_KEY = /^(?:files?|changes|edits|contents|sources|documents|entries|tree)$/i;
export const FIELD_OF_FILE =
  /^(?:path|file|files|name|filename|file_?path|uri|mode|type|encoding|sha|status|action|op|operation|old\w*|new\w*|search|replace|content|contents|text|body|data|from|to|source|src|target|dest\w*)$/i;
export const MOUNT_KEY = /^(?:volumes?|mounts?|binds?|bind_?mounts?|host_?paths?)$/i;

/** A table, a column or a field of that name; for a file tool, it is a file. */
export function isIdentifier(toolName: string, key: string, text: string): boolean {
  return (
    /^\w+$/.test(text) &&
    /^(?:name|title|label|id|type|kind)$|(?:table|column|field|symbol|schema|index|collection|migration|entity|model|property|key|type)s?(?:_?name)?$/i.test(
      key,
    ) &&
    !/file|fs|read|open|cat|load|disk|path|storage|drive/i.test(toolName)
  );
}
