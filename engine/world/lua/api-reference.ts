/**
 * Generates the reference of the script API: `docs/lua-api.md` for people, and the same content as data for editors.
 */
import { type ApiMember, type ApiModule, fullNameOf } from './api-module.ts';

// The handwritten part of `docs/lua-api.md`.

const referenceIntro = `# The script API

Scripts in agent files are Lua 5.4. Everything they need of the world is a function of the table \`aip\` (\`utils\` is the same
table, for older packs, and so is \`aipack\`, which has the functions of \`aip.flow\` as its own besides). This page lists all of them; it is
made from the code.

In signatures, \`name?\` may be left out, \`string | nil\` takes nil and mostly gives nil for it, \`string[]\` is a list, and what
stands behind \`->\` is given back: several values where there is a comma.

## Beside \`aip\`

| name | is |
|---|---|
| \`CTX\` | a table that tells of the run: \`WORKSPACE_DIR\`, \`AGENT_FILE_PATH\`, \`STAGE\`, \`RUN_UID\` and others |
| \`null\`, \`Null\`, \`NULL\` | stands for nothing within tables, where nil would leave a hole. It counts as true in conditions |
| \`is_null(v)\`, \`is_not_null(v)\` | whether a value is nil or \`null\` |
| \`nil_if_null(v)\` | nil for \`null\`, all else as it is |
| \`value_or(v, other, …)\` | the first that is neither nil nor \`null\`, else the last |
| \`is_table(v)\`, \`is_list(v)\`, \`is_object(v)\` | a table; one with an entry at 1; one without |
| \`print(…)\` | writes to the log of the run, each value on a line of its own |
| \`require(name)\` | loads \`lua/NAME.lua\` or \`lua/NAME/init.lua\` beside the agent file, then of its pack |

Of Lua's own library there is no \`io\`, no \`debug\` but \`traceback\`, and of \`os\` only \`clock\`, \`date\`, \`difftime\` and \`time\`. Each
script runs in a machine of its own: a global variable of one stage is not seen by the next, only what a stage returns. A
returned empty table is an empty map, \`{}\`; what \`aip.json\` writes of it is an empty list, \`[]\`.

Integers have 64 bits and floats stay floats, \`3.0\` too, also where texts and files are read and written; an integer of more bits
is text in JSON, and refused in TOML and YAML. What a stage returns, or hands to another agent, has the numbers of JSON: \`3.0\` becomes \`3\`, and an integer that would be
rounded (beyond 2^53) is refused (\`json.unsafe-number\`): pass \`tostring(value)\` on.

## Errors

A function that cannot do its work raises an error, and the stage fails with it. \`pcall\` catches it:

\`\`\`lua
local ok, result = pcall(aip.json.parse, text)
if not ok then print("no JSON: " .. tostring(result)) end
\`\`\`

A function that was given the wrong kind of argument raises as well. Functions that give nil instead say so below.

## Paths

A path means the same to every function:

| path | leads to |
|---|---|
| \`notes/a.md\` | the workspace, or the option \`base_dir\` where there is one |
| \`/var/a.md\` | where it says |
| \`~/a.md\` | the home folder |
| \`$tmp/a.md\` | a folder of this session, the same for all its runs |
| \`ns@name/a.md\` | the folder of an installed pack |
| \`ns@name$base/a.md\`, \`ns@name$workspace/a.md\` | the folder where a pack keeps its data, for all workspaces or for this one |

Paths are written with \`/\` on all systems. Globs know \`*\` and \`?\` within a name, \`**\` over folders, \`{a,b}\` and \`[..]\`; one that
begins with \`!\` takes away what others have added.

## What scripts may do

Before a function reads, writes, deletes, runs a command, asks the web or opens an editor, it is asked whether it may:

| | in any workspace | in one that you trust |
|---|---|---|
| read files | workspace, packs and their data, \`$tmp\` | everywhere |
| write files | workspace, the pack's own data, \`$tmp\` | everywhere |
| delete files | workspace, \`$tmp\` | the same |
| commands, the web, editors of others, secrets (\`aip.secret\`) | no | yes |

Some things never happen: reading the keys and settings of the program, changing \`.git\` or \`.millrace\`, deleting from the base
folder. In a dry run, changes of files are discarded, and nothing is sent or started. Links are followed first, so none leads around these rules. What is
refused raises an error that names the rule, and every refusal, command and request is an event of the run.

A workspace is trusted in the settings, or for one run with \`--trust\`; see [what scripts may do](trust.md).

## Shapes of tables

Those of files, markdown and CSV hold their name as \`_type\`, too.

| name | fields |
|---|---|
| \`FileInfo\` | \`path\`, \`dir\`, \`name\`, \`stem\`, \`ext\` (without dot), \`ctime?\`, \`mtime?\` (microseconds since 1970), \`size?\` (bytes), \`is_likely_text\` |
| \`FileRecord\` | those of \`FileInfo\`, and \`content\` |
| \`FileStats\` | \`total_size\`, \`number_of_files\`, \`ctime_first\`, \`ctime_last\`, \`mtime_first\`, \`mtime_last\`; zero when there are no files |
| \`MdSection\` | \`content\`, \`heading_raw\`, \`heading_content\`, \`heading_level\`, \`heading_name\` |
| \`MdBlock\` | \`lang\`, \`content\` |
| \`MdRef\` | \`target\`, \`text?\`, \`inline\`, \`kind\` (\`Anchor\`, \`File\` or \`Url\`) |
| \`TagElem\` | \`tag\`, \`attrs?\`, \`content\` |
| \`Elem\` | \`tag\`, \`attrs?\`, \`text?\`, \`inner_html?\` |
| \`CsvContent\` | \`headers\`, \`rows\` |
| \`CsvOptions\` | \`delimiter\` (\`,\`), \`quote\` (\`"\`), \`escape?\`, \`trim_fields\` (false), \`has_header\` (true when reading), \`header_labels?\`, \`skip_empty_lines\` (true), \`comment?\`, \`skip_header_row\` (false) |
| \`SaveOptions\` | \`trim_start?\`, \`trim_end?\`, \`single_trailing_newline?\`, done in this order |
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

/** Returns the whole page as markdown, with the modules in the given order. */
export function apiReference(modules: readonly ApiModule[]): string {
  const table = ['| module | has |', '|---|---|', ...modules.map(rowOf)].join('\n');
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
