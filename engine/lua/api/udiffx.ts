/**
 * `aip.udiffx`.
 */
import { optionalString, requiredString, stringList } from '../api-arguments.ts';
import { type ApiContext, type ApiModule, LuaResults, type LuaValue } from '../api-module.ts';
import { optionsTable, wantsRest } from '../api-options.ts';
import { applyDirectives } from '../udiffx/apply-changes.ts';
import { parseFileChanges } from '../udiffx/envelope.ts';
import { filesContext } from '../udiffx/files-context.ts';
import { fileChangesInstruction } from '../udiffx/instruction.ts';

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
  summary: 'Makes the changes to files that a model has written down in its answer.',
  members: [
    {
      name: 'apply_file_changes',
      signature:
        'apply_file_changes(text: string, base_dir?: string, options?: { extrude?: "content" }) -> ApplyChangesStatus, string',
      summary:
        'Carries out the first `<FILE_CHANGES>` block of a text, each directive for itself, with paths from `base_dir` (the workspace). The status is `{ success: boolean, total_count, success_count, fail_count, items: { file_path, kind, success, error_msg?, error_hunks?: { hunk_body, cause }[] }[] }`; without a block it is a success with no items. Of a patch the hunks that fit are written even when others fail. With `extrude = "content"` the second value is the text without the block.',
      call: applyFileChanges,
    },
    {
      name: 'load_files_context',
      signature:
        'load_files_context(globs: string | string[], options?: { base_dir?: string, absolute?: boolean }) -> string | nil',
      summary:
        'The files that match, each as `<FILE_CONTENT path="…">…</FILE_CONTENT>`, for a prompt. Nil when none matches.',
      call: loadFilesContext,
    },
    {
      name: 'file_changes_instruction',
      signature: 'file_changes_instruction() -> string',
      summary: 'A text for a prompt that teaches a model how to write the block that `apply_file_changes` reads.',
      call: () => fileChangesInstruction,
    },
  ],
};
