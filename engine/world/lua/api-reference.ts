/**
 * Generates the reference of the Lua API: `docs/lua-api.md` for people, and the same content as data for editors.
 */
import { type ApiMember, type ApiModule, fullNameOf } from './api-module.ts';

// The handwritten part of `docs/lua-api.md`.

const referenceIntro = `# Lua API

Scripts in agent files are written in Lua 5.4. The table \`aip\` contains Millrace's functions, including all access to
anything outside the script. For older packs, \`utils\` is the same table, and \`aipack\` is the same with the functions of
\`aip.flow\` added. This page lists all functions and is generated from the code.

In signatures, \`name?\` is optional, \`string | nil\` accepts nil and usually returns nil for it, and \`string[]\` is a list. The
result is after \`->\`; commas separate multiple results.

## Other globals

| name | meaning |
|---|---|
| \`CTX\` | a table with information about the run: \`WORKSPACE_DIR\`, \`AGENT_FILE_PATH\`, \`STAGE\`, \`RUN_UID\` and others |
| \`null\`, \`Null\`, \`NULL\` | represents a missing value within tables, where nil would leave a gap. Counts as true in conditions |
| \`is_null(v)\`, \`is_not_null(v)\` | whether a value is nil or \`null\`; whether it is neither |
| \`nil_if_null(v)\` | nil for \`null\`, otherwise the value |
| \`value_or(v, other, …)\` | the first value that is neither nil nor \`null\`, otherwise the last |
| \`is_table(v)\`, \`is_list(v)\`, \`is_object(v)\` | whether a value is a table; a table with an entry at index 1; a table without one |
| \`print(…)\` | writes each value to the run log, on a separate line |
| \`require(name)\` | loads \`lua/NAME.lua\` or \`lua/NAME/init.lua\` next to the agent file, otherwise from its pack |

The standard library has no \`io\`. From \`debug\`, only \`traceback\` is available; from \`os\`, only \`clock\`, \`date\`, \`difftime\`
and \`time\`. Each script runs in a new interpreter, so stages don't share global variables; a later stage receives only the returned
value. If a stage returns an empty table, it becomes an empty map, \`{}\`, but \`aip.json\` writes an empty table as an empty list, \`[]\`.

Integers have 64 bits, and floats stay floats, even \`3.0\`, and even when text and files are read or written. A longer integer
becomes text in JSON, and raises an error in TOML and YAML. A value that a stage returns or passes to another agent uses the number types of
JSON: \`3.0\` becomes \`3\`, and an integer that would be rounded (beyond 2^53) raises an error (\`json.unsafe-number\`). Pass
\`tostring(value)\` instead.

## Errors

If a function fails, it raises an error, and the stage fails. \`pcall\` catches the error:

\`\`\`lua
local ok, result = pcall(aip.json.parse, text)
if not ok then print("invalid JSON: " .. tostring(result)) end
\`\`\`

A function also raises an error if an argument has the wrong type. If a function returns nil instead, its description below says so.

## Paths

All functions interpret paths in the same way:

| path | location |
|---|---|
| \`notes/a.md\` | in the workspace, or in \`base_dir\` if the function has this option |
| \`/var/a.md\` | an absolute path |
| \`~/a.md\` | in the home folder |
| \`$tmp/a.md\` | in a folder that all runs of this session share |
| \`ns@name/a.md\` | in an installed pack's folder |
| \`ns@name$base/a.md\`, \`ns@name$workspace/a.md\` | in the folder where a pack keeps its data for all workspaces, or for this one |

Paths use \`/\` on all systems. In globs, \`*\` and \`?\` match within a name, \`**\` matches any number of folders, and \`{a,b}\` and \`[..]\`
match alternatives. A glob that starts with \`!\` excludes files that other globs match.

## What scripts may do

Before a function reads, writes or deletes a file, runs a command, sends a web request or opens an editor, the policy is checked:

| | in any workspace | in a trusted workspace |
|---|---|---|
| read files | workspace, packs and their data, \`$tmp\` | everywhere |
| write files | workspace, the pack's own data, \`$tmp\` | everywhere |
| delete files | workspace, \`$tmp\` | the same |
| run commands, send web requests, open external editors, use secrets (\`aip.secret\`) | no | yes |

Some actions are always denied: reading Millrace's keys and settings, changing \`.git\` or \`.millrace\`, and deleting from the
base folder. In a dry run, file changes are discarded, no requests are sent, and no programs are started. Symbolic links are
resolved before the check, so they can't bypass these rules. A denied action raises an error that names the rule. The run logs an
event for every denial, command and request.

You can trust a workspace in the settings, or for one run with \`--trust\`. See [what scripts may do](trust.md).

## Table types

Tables for files, markdown and CSV also contain their name as \`_type\`.

| name | fields |
|---|---|
| \`FileInfo\` | \`path\`, \`dir\`, \`name\`, \`stem\`, \`ext\` (without dot), \`ctime?\`, \`mtime?\` (microseconds since 1970), \`size?\` (bytes), \`is_likely_text\` |
| \`FileRecord\` | the fields of \`FileInfo\`, and \`content\` |
| \`FileStats\` | \`total_size\`, \`number_of_files\`, \`ctime_first\`, \`ctime_last\`, \`mtime_first\`, \`mtime_last\`; all zero without files |
| \`MdSection\` | \`content\`, \`heading_raw\`, \`heading_content\`, \`heading_level\`, \`heading_name\` |
| \`MdBlock\` | \`lang\`, \`content\` |
| \`MdRef\` | \`target\`, \`text?\`, \`inline\`, \`kind\` (\`Anchor\`, \`File\` or \`Url\`) |
| \`TagElem\` | \`tag\`, \`attrs?\`, \`content\` |
| \`Elem\` | \`tag\`, \`attrs?\`, \`text?\`, \`inner_html?\` |
| \`CsvContent\` | \`headers\`, \`rows\` |
| \`CsvOptions\` | \`delimiter\` (\`,\`), \`quote\` (\`"\`), \`escape?\`, \`trim_fields\` (false), \`has_header\` (true when reading), \`header_labels?\`, \`skip_empty_lines\` (true), \`comment?\`, \`skip_header_row\` (false) |
| \`SaveOptions\` | \`trim_start?\`, \`trim_end?\`, \`single_trailing_newline?\`, applied in this order |
| \`ZipOptions\` | \`globs?\`: only entries that match one of them |
| \`WebOptions\` | \`user_agent?\`, \`headers?\`, \`redirect_limit?\`, \`parse?\` |
| \`WebResponse\` | \`success\`, \`status\`, \`url\`, \`content\`, \`content_type?\`, \`headers?\`, \`error?\` |
| \`CmdResponse\` | \`stdout\`, \`stderr\`, \`exit\` |
| \`AgentOptions\` | \`model?\`, \`model_aliases?\`, \`temperature?\`, \`top_p?\`, \`input_concurrency?\`, \`max_waiting?\`, \`allow_run_on_task_fail?\` |
| \`Attachment\` | \`file_source\`, \`file_name?\`, \`title?\` |
`;

function heading(module: ApiModule): string {
  return `aip.${module.name}`;
}

function anchor(module: ApiModule): string {
  return heading(module).replaceAll('.', '');
}

function rowOf(module: ApiModule): string {
  const names = module.members.map((member) => `\`${member.name}\``).join(' ');
  return `| [\`${heading(module)}\`](#${anchor(module)}) | ${names} |`;
}

function memberText(module: ApiModule, member: ApiMember): string {
  const name = fullNameOf(module, member);
  const signature = `\`${name}${member.signature.slice(member.name.length)}\``;
  const own = module.isFunction === true ? [] : [`### ${name}`];
  return [...own, signature, member.summary].join('\n\n');
}

function moduleText(module: ApiModule): string {
  const members = module.members.map((member) => memberText(module, member));
  return [`## ${heading(module)}`, module.summary, ...members].join('\n\n');
}

/** Returns the entire page as markdown, with the modules in the given order. */
export function apiReference(modules: readonly ApiModule[]): string {
  const table = ['| module | functions |', '|---|---|', ...modules.map(rowOf)].join('\n');
  return `${[referenceIntro.trimEnd(), `## Modules\n\n${table}`, ...modules.map(moduleText)].join('\n\n')}\n`;
}

/** Returns the API data for editors as JSON text: summaries and signatures by module and member. */
export function apiData(modules: readonly ApiModule[]): string {
  const data = Object.fromEntries(
    modules.map(({ name, summary, members, isFunction }) => [
      name,
      {
        summary,
        ...(isFunction === undefined ? {} : { isFunction }),
        members: Object.fromEntries(members.map((one) => [one.name, shownOf(one)])),
      },
    ]),
  );
  return `${JSON.stringify(data, null, 2)}\n`;
}

function shownOf({ signature, summary }: ApiMember): { readonly signature: string; readonly summary: string } {
  return { signature, summary };
}
