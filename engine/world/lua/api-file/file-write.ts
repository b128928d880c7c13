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
      'Writes a file in one step, with its folders; what was there is replaced. Gives its whole path. Raises outside of the workspace, the data folders of the pack and `$tmp`, unless the workspace is trusted.',
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
    summary: 'Adds to the end of a file; makes it, with its folders, when it is not there.',
    call: ([path, content], context) => append(requiredString(path, 1), requiredString(content, 2), context),
  },
  {
    name: 'ensure_exists',
    signature: 'ensure_exists(path: string, content?: string, options?: { content_when_empty?: boolean }) -> FileInfo',
    summary:
      'Makes a file when it is not there. With `content_when_empty` the content is written to a file of nothing but blanks as well.',
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
    summary: 'Makes a folder, with those before it; true when it was not there. Raises when a file is in its place.',
    call: ([path], { host }) => host('file.ensureDir', { path: requiredString(path, 1) }).isNew,
  },
  transfer(
    'copy',
    'Copies a file. Raises when the destination is there and `overwrite` is not true, and for a folder.',
  ),
  transfer(
    'move',
    'Moves a file or a folder. Raises when the destination is there and `overwrite` is not true, for a link, and for what may not be deleted.',
  ),
  {
    name: 'delete',
    signature: 'delete(path: string) -> boolean',
    summary:
      'Takes a file or a folder to the trash of the system; false when it was not there. Raises outside of the workspace and in the base folder, trusted or not.',
    call: ([path], { host }) => host('file.delete', { path: requiredString(path, 1) }).existed,
  },
  {
    name: 'save_changes',
    signature:
      'save_changes(path: string, changes: string) -> FileInfo, { changed_count: integer, failed_changes?: { search: string, replace: string, reason: string }[] }',
    summary:
      'Applies blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE` lines to a file, each at the first place that it fits; without any block the whole content is replaced. Raises for text outside of blocks and for a block without an end.',
    call: saveChanges,
  },
  {
    name: 'append_json_line',
    signature: 'append_json_line(path: string, value: any) -> FileInfo',
    summary: 'Adds a value to the end of a file, as JSON in one line.',
    call: ([path, value], context) => append(requiredString(path, 1), jsonLine(value), context),
  },
  {
    name: 'append_json_lines',
    signature: 'append_json_lines(path: string, values: any[]) -> FileInfo',
    summary:
      'Adds each value of a list to the end of a file, as JSON in a line of its own. Raises for what is no list.',
    call: ([path, values], context) => {
      const items = luaSequence(values);
      if (items === undefined || isNil(values)) {
        throw scriptError('aip.file.append_json_lines - the values must be a list');
      }
      return append(requiredString(path, 1), items.map(jsonLine).join(''), context);
    },
  },
];
