/**
 * Functions of `aip.file` that write one format as another.
 */
import { isNil, luaTypeOf, requiredString } from '../api-arguments.ts';
import type { ApiContext, LuaValue, NativeFunction } from '../api-module.ts';
import { optionsTable } from '../api-options.ts';
import { slimHtml } from '../html/slim-html.ts';
import { scriptError } from '../script-error.ts';
import { infoTable } from './file-arguments.ts';
import { markdownOf } from './file-formats.ts';
import { nameOf, parentOf } from './file-info.ts';

interface Conversion {
  readonly name: string;
  readonly summary: string;
  /** Behind the stem of the source, for example `-slim`. */
  readonly suffix: string;
  readonly extension: string;
  readonly convert: (path: string, options: { readonly slim: boolean }, context: ApiContext) => string;
}

function optionText(name: string, options: Readonly<Record<string, LuaValue>>, option: string): string | undefined {
  const value = options[option];
  if (isNil(value)) return undefined;
  if (typeof value === 'string') return value;
  throw scriptError(`${name} - ${option} must be a string, but was ${luaTypeOf(value)}`);
}

function joined(folder: string, name: string): string {
  if (folder === '') return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/**
 * `DestOptions`: nothing, a path, or `{ base_dir?, file_name?, suffix?, slim? }`, by which the file goes beside its source
 * unless `base_dir` names a folder.
 */
function destinationOf(source: string, given: LuaValue, { name, suffix, extension }: Conversion): string {
  if (typeof given === 'string') return given;
  const options = optionsTable(name, given);
  const sourceName = nameOf(source);
  const dot = sourceName.lastIndexOf('.');
  const stem = dot > 0 ? sourceName.slice(0, dot) : sourceName;
  const folder = optionText(name, options, 'base_dir') ?? parentOf(source) ?? '';
  const ownSuffix = optionText(name, options, 'suffix') ?? suffix;
  return joined(folder, optionText(name, options, 'file_name') ?? `${stem}${ownSuffix}.${extension}`);
}

function converter(conversion: Conversion): NativeFunction {
  const name = `aip.file.${conversion.name}`;
  return {
    name: conversion.name,
    signature: `${conversion.name}(path: string, destination?: string | { base_dir?: string, file_name?: string, suffix?: string, slim?: boolean }) -> FileInfo`,
    summary: conversion.summary,
    call: ([path, destination], context) => {
      const source = requiredString(path, 1);
      const target = destinationOf(source, destination, { ...conversion, name });
      const slim = typeof destination !== 'string' && optionsTable(name, destination)['slim'] === true;
      const content = conversion.convert(source, { slim }, context);
      return infoTable(context.host('file.write', { path: target, content, mode: 'overwrite' }).info);
    },
  };
}

export const fileConvertMembers: readonly NativeFunction[] = [
  converter({
    name: 'save_html_to_md',
    summary:
      'Writes an HTML file as markdown, `<stem>.md` beside it unless another place is named. With `slim = true` it is slimmed before.',
    suffix: '',
    extension: 'md',
    convert: (path, { slim }, { host }) => markdownOf(host('file.readText', { path }).text, slim),
  }),
  converter({
    name: 'save_html_to_slim',
    summary: 'Writes an HTML file slimmed, `<stem>-slim.html` beside it unless another place is named.',
    suffix: '-slim',
    extension: 'html',
    convert: (path, _options, { host }) => slimHtml(host('file.readText', { path }).text),
  }),
  converter({
    name: 'save_docx_to_md',
    summary: 'Writes a Word document as markdown, `<stem>.md` beside it unless another place is named.',
    suffix: '',
    extension: 'md',
    convert: (path, _options, { host }) => host('file.docxToMarkdown', { path }).markdown,
  }),
];
