/**
 * `aip.file` functions that write, copy, move and delete files.
 */
import { isNil, luaSequence, optionalString, optionsTable, requiredString } from '../api-arguments.ts';
import { type ApiContext, LuaResults, type LuaValue, type NativeFunction } from '../api-module.ts';
import { jsonText } from '../formats/json-text.ts';
import { scriptError } from '../script-error.ts';
import { flagOf, infoTable, infoWithScriptPath } from './file-arguments.ts';

/** Applies `SaveOptions` in their defined order. */
function prepared(content: string, given: LuaValue): string {
  const name = 'aip.file.save';
  const options = optionsTable(name, given);
  let text = content;
  if (flagOf(name, options, 'trim_start')) text = text.trimStart();
  if (flagOf(name, options, 'trim_end')) text = text.trimEnd();
  if (flagOf(name, options, 'single_trailing_newline')) text = `${text.replace(/\n+$/, '')}\n`;
  return text;
}

function append(path: string, content: string, { host }: ApiContext): LuaValue {
  return infoWithScriptPath(host('file.write', { path, content, mode: 'append' }).info, path);
}

function jsonLine(value: LuaValue): string {
  return `${jsonText(value)}\n`;
}

function transfer(verb: 'copy' | 'move', summary: string): NativeFunction {
  return {
    name: verb,
    signature: `${verb}(source: string, destination: string, options?: { overwrite?: boolean }) -> FileInfo`,
    summary,
    call: ([source, destination, given], { host }) => {
      const name = `aip.file.${verb}`;
      const { info } = host(`file.${verb}`, {
        source: requiredString(source, 1),
        destination: requiredString(destination, 2),
        overwrite: flagOf(name, optionsTable(name, given), 'overwrite'),
      });
      return infoTable(info);
    },
  };
}

function saveChanges([given, changes]: readonly LuaValue[], { host }: ApiContext): LuaResults {
  const path = requiredString(given, 1);
  const { info, outcome } = host('file.saveChanges', { path, changes: requiredString(changes, 2) });
  const failed = outcome.failed_changes?.map((change) => ({ ...change }));
  return new LuaResults(infoTable(info), {
    changed_count: outcome.changed_count,
    ...(failed === undefined ? {} : { failed_changes: failed }),
  });
}

export const fileWriteMembers: readonly NativeFunction[] = [
  {
    name: 'save',
    signature:
      'save(path: string, content: string, options?: { trim_start?: boolean, trim_end?: boolean, single_trailing_newline?: boolean }) -> FileInfo',
    summary:
      'Writes a file atomically. Creates missing folders and replaces an existing file. The result contains the full path. Raises an error for paths outside the workspace, its pack data folders and `$tmp`, unless the workspace is trusted.',
    call: ([path, content, options], { host }) => {
      const text = prepared(requiredString(content, 2), options);
      const { info } = host('file.write', {
        path: requiredString(path, 1),
        content: text,
        mode: 'overwrite',
        announce: true,
      });
      return infoTable(info);
    },
  },
  {
    name: 'append',
    signature: 'append(path: string, content: string) -> FileInfo',
    summary: 'Appends to a file. Creates the file and its folders if they do not exist.',
    call: ([path, content], context) => append(requiredString(path, 1), requiredString(content, 2), context),
  },
  {
    name: 'ensure_exists',
    signature: 'ensure_exists(path: string, content?: string, options?: { content_when_empty?: boolean }) -> FileInfo',
    summary:
      'Creates a file if it does not exist. With `content_when_empty`, also writes the content to an existing file that is empty or contains only whitespace.',
    call: ([given, content, options], { host }) => {
      const name = 'aip.file.ensure_exists';
      const path = requiredString(given, 1);
      const whenBlank = flagOf(name, optionsTable(name, options), 'content_when_empty');
      const text = optionalString(content, name) ?? '';
      return infoWithScriptPath(host('file.write', { path, content: text, mode: 'ensure', whenBlank }).info, path);
    },
  },
  {
    name: 'ensure_dir',
    signature: 'ensure_dir(path: string) -> boolean',
    summary:
      'Creates a folder and its parent folders. Returns true if the folder did not exist. Raises an error if a file exists at the path.',
    call: ([path], { host }) => host('file.ensureDir', { path: requiredString(path, 1) }).isNew,
  },
  transfer(
    'copy',
    'Copies a file. Raises an error if the source is a folder, or if the destination exists and `overwrite` is not true.',
  ),
  transfer(
    'move',
    'Moves a file or a folder. Raises an error if the source is a symbolic link or must not be deleted, or if the destination exists and `overwrite` is not true.',
  ),
  {
    name: 'delete',
    signature: 'delete(path: string) -> boolean',
    summary:
      'Moves a file or folder to the system trash. Returns false if it does not exist. Raises an error for paths outside the workspace and in the base folder, even if the workspace is trusted.',
    call: ([path], { host }) => host('file.delete', { path: requiredString(path, 1) }).existed,
  },
  {
    name: 'save_changes',
    signature:
      'save_changes(path: string, changes: string) -> FileInfo, { changed_count: integer, failed_changes?: { search: string, replace: string, reason: string }[] }',
    summary:
      'Applies blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE` lines to a file, each to its first match. Without blocks, replaces the entire content. Raises an error if there is text outside the blocks or a block is not closed.',
    call: saveChanges,
  },
  {
    name: 'append_json_line',
    signature: 'append_json_line(path: string, value: any) -> FileInfo',
    summary: 'Appends a value to a file, as JSON on one line.',
    call: ([path, value], context) => append(requiredString(path, 1), jsonLine(value), context),
  },
  {
    name: 'append_json_lines',
    signature: 'append_json_lines(path: string, values: any[]) -> FileInfo',
    summary:
      'Appends each value of a list to a file, as JSON on a separate line. Raises an error if `values` is not a list.',
    call: ([path, values], context) => {
      const items = luaSequence(values);
      if (items === undefined || isNil(values)) {
        throw scriptError('aip.file.append_json_lines - the values must be a list');
      }
      return append(requiredString(path, 1), items.map(jsonLine).join(''), context);
    },
  },
];
