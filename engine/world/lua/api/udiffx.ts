/**
 * `aip.udiffx`: file changes written by models.
 */
import path from 'node:path';
import { optionalString, optionsTable, requiredString, stringList, wantsRest } from '../api-arguments.ts';
import { type ApiContext, type ApiModule, LuaResults, type LuaValue } from '../api-module.ts';
import type { HostCaller } from '../host-calls.ts';
import { applyDirectives } from '../udiffx/apply-changes.ts';
import { parseFileChanges } from '../udiffx/envelope.ts';

/** Instructions that teach a model the envelope that `aip.udiffx.apply_file_changes` reads. */
export const fileChangesInstruction = `## How to change files

Put all file changes into one \`<FILE_CHANGES>\` block. You may write explanations before or after the block. The block may contain only the elements below. If no file needs to change, do not write a block.

| Element | Effect |
| --- | --- |
| \`<FILE_NEW file_path="…">content</FILE_NEW>\` | creates a file or replaces its whole content |
| \`<FILE_PATCH file_path="…">hunks</FILE_PATCH>\` | changes parts of an existing file |
| \`<FILE_APPEND file_path="…">content</FILE_APPEND>\` | adds lines to the end of a file |
| \`<FILE_COPY from_path="…" to_path="…" />\` | copies a file |
| \`<FILE_RENAME from_path="…" to_path="…" />\` | moves or renames a file |
| \`<FILE_DELETE file_path="…" />\` | deletes a file |

- Changes are applied in the order in which you write them.
- Write paths exactly as they were shown to you. Do not refer to files that you have not seen, except new files that you create.
- Write content literally, without escaping and without code fences around it.
- For a small change in a long file, use \`FILE_PATCH\`. If most of a file changes, write the whole file with \`FILE_NEW\`.

### Hunks of FILE_PATCH

A patch contains one or more hunks. Each hunk starts with a line that contains only \`@@\`, without line numbers. In all other lines, the first character determines the meaning of the line:

| First character | Meaning of the rest of the line |
| --- | --- |
| a space | is in the file and stays |
| \`-\` | is in the file and is removed |
| \`+\` | is added |

- The rest of a line that stays or is removed must match the file exactly, including indentation, punctuation and list markers. A line that starts with four spaces in the file starts with five in the hunk.
- Include only as many lines around a change as are needed to find it, usually two or three. If the same lines occur more than once in the file, include enough lines to identify the right place.
- Write hunks in the order of the file. Hunks must not overlap.
- A hunk with only \`+\` lines is added to the end of the file.
- Do not write \`---\` and \`+++\` header lines.

To remove many consecutive lines, write at least the first two and the last two as removed lines, with a line that contains only \`~\` between them. This line represents all lines in between.

### Example

<FILE_CHANGES>
<FILE_NEW file_path="src/greeting.ts">
export const greeting = 'Good morning';
</FILE_NEW>
<FILE_PATCH file_path="src/main.ts">
@@
+import { greeting } from './greeting.ts';
 import { log } from './log.ts';
@@
 function main() {
-  log('Hello');
+  log(greeting);
 }
@@
-function oldGreeting() {
-  const parts = [];
~
-  return parts.join(' ');
-}
</FILE_PATCH>
<FILE_RENAME from_path="docs/notes.txt" to_path="docs/notes.md" />
<FILE_DELETE file_path="src/unused.ts" />
</FILE_CHANGES>
`;

interface ContextOptions {
  readonly globs: readonly string[];
  /** As written in the script; absent for the workspace. */
  readonly baseDir?: string | undefined;
  readonly absolute: boolean;
}

function block(shown: string, text: string): string {
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `<FILE_CONTENT path="${shown}">\n${text}${end}</FILE_CONTENT>\n`;
}

/** Returns one `<FILE_CONTENT>` element for each file, in the order of the listing; undefined if no file matches. */
function filesContext(host: HostCaller, { globs, baseDir, absolute }: ContextOptions): string | undefined {
  const base = baseDir === undefined || baseDir === '' ? {} : { baseDir };
  const { files } = host('file.list', { globs, ...base, absolute, hasDefaultExcludes: true });
  if (files.length === 0) return undefined;
  const folder = host('path.resolve', { path: base.baseDir ?? '.' }).path;
  const blocks = files.map((file) => {
    // Uses an absolute path, because a name that contains `@` would be interpreted as a pack reference.
    const full = file.path.startsWith('~') ? file.path : path.resolve(folder, file.path);
    return block(file.path, host('file.readText', { path: full }).text);
  });
  return blocks.join('\n');
}

function applyFileChanges(args: readonly LuaValue[], { host }: ApiContext): LuaValue | LuaResults {
  const name = 'aip.udiffx.apply_file_changes';
  const isRestWanted = wantsRest(name, optionsTable(name, args[2]));
  const { directives, rest } = parseFileChanges(requiredString(args[0], 1));
  const items = applyDirectives(directives, { host, baseDir: optionalString(args[1], name) });
  const fail_count = items.filter((item) => !item.success).length;
  const status = {
    success: fail_count === 0,
    total_count: items.length,
    success_count: items.length - fail_count,
    fail_count,
    items,
  };
  return isRestWanted ? new LuaResults(status, rest) : status;
}

function loadFilesContext([globs, given]: readonly LuaValue[], { host }: ApiContext): LuaValue {
  const name = 'aip.udiffx.load_files_context';
  const options = optionsTable(name, given);
  return filesContext(host, {
    globs: stringList(globs, name),
    baseDir: optionalString(options['base_dir'], name),
    absolute: options['absolute'] === true,
  });
}

export const udiffxApi: ApiModule = {
  name: 'udiffx',
  summary: 'Applies file changes that a model wrote in its response.',
  members: [
    {
      name: 'apply_file_changes',
      signature:
        'apply_file_changes(text: string, base_dir?: string, options?: { extrude?: "content" }) -> ApplyChangesStatus, string',
      summary:
        'Applies the directives in the first `<FILE_CHANGES>` block in the text. If a directive fails, the other directives are still applied. Paths are relative to `base_dir` (default: the workspace). The status is `{ success: boolean, total_count, success_count, fail_count, items: { file_path, kind, success, error_msg?, error_hunks?: { hunk_body, cause }[] }[] }`. Without a block, the status is a success with no items. Hunks of a patch that match are written even if others fail. With `extrude = "content"`, the second value is the text without the block.',
      reachesOut: true,
      call: applyFileChanges,
    },
    {
      name: 'load_files_context',
      signature:
        'load_files_context(globs: string | string[], options?: { base_dir?: string, absolute?: boolean }) -> string | nil',
      summary:
        'Returns the content of the matching files for a prompt, each as `<FILE_CONTENT path="…">…</FILE_CONTENT>`. Returns nil if no file matches.',
      reachesOut: true,
      call: loadFilesContext,
    },
    {
      name: 'file_changes_instruction',
      signature: 'file_changes_instruction() -> string',
      summary: 'Returns instructions for a prompt that explain how to write the block that `apply_file_changes` reads.',
      call: () => fileChangesInstruction,
    },
  ],
};
