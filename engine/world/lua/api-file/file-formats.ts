/**
 * `aip.file` functions that read known file formats and convert between them.
 */
import { isNil, luaTypeOf, optionsTable, requiredString, stringList } from '../api-arguments.ts';
import type { ApiContext, LuaValue, NativeFunction } from '../api-module.ts';
import { csvOptions, parseCsv } from '../formats/csv.ts';
import { mdSections, mdSplitFirst } from '../formats/md-sections.ts';
import { parseNdjson, parseRelaxedJson } from '../formats/relaxed-json.ts';
import { parseToml, parseYaml } from '../formats/toml-yaml.ts';
import { htmlToMarkdown } from '../html/html-to-markdown.ts';
import { slimHtml } from '../html/slim-html.ts';
import { prefixErrors, scriptError } from '../script-error.ts';
import { infoWithScriptPath, nameOf, parentOf } from './file-arguments.ts';

/** Creates a function that reads a file and returns the result of `parse`. Parse errors name the path. */
function loader(
  name: string,
  text: { readonly signature: string; readonly summary: string },
  parse: (content: string, args: readonly LuaValue[], warn: (sentence: string) => void) => LuaValue,
): NativeFunction {
  return {
    name,
    ...text,
    call: (args, { host }) => {
      const path = requiredString(args[0], 1);
      const content = host('file.readText', { path }).text;
      const warn = (sentence: string): void => {
        host('log', { level: 'warn', text: `${path}: ${sentence}` });
      };
      return prefixErrors(`aip.file.${name} - Failed to read '${path}'.\nCause: `, () => parse(content, args, warn));
    },
  };
}

/** Converts HTML to markdown. Slims the HTML first unless the option `trim` is false. */
function markdownOf(html: string, trim: boolean): string {
  return htmlToMarkdown(trim ? slimHtml(html) : html);
}

function docxAsMarkdown([path]: readonly LuaValue[], { host }: ApiContext): string {
  return host('file.docxToMarkdown', { path: requiredString(path, 1) }).markdown;
}

export const fileFormatMembers: readonly NativeFunction[] = [
  loader(
    'load_json',
    {
      signature: 'load_json(path: string) -> any',
      summary: 'Reads a JSON file. Accepts the same deviations from JSON as `aip.json.parse`.',
    },
    (content) => parseRelaxedJson(content) ?? undefined,
  ),
  loader(
    'load_ndjson',
    { signature: 'load_ndjson(path: string) -> any[]', summary: 'Reads a file with one JSON value per line.' },
    parseNdjson,
  ),
  loader('load_toml', { signature: 'load_toml(path: string) -> table', summary: 'Reads a TOML file.' }, parseToml),
  loader(
    'load_yaml',
    {
      signature: 'load_yaml(path: string) -> any[]',
      summary: 'Reads a YAML file and returns a list of its documents, even if there is only one.',
    },
    parseYaml,
  ),
  loader(
    'load_md_sections',
    {
      signature: 'load_md_sections(path: string, headings?: string | string[]) -> MdSection[]',
      summary:
        'Returns all sections of a markdown file, or those with the given headings (`"# Intro"`, `"## API"`; `""` = the text before the first heading). A section selected by heading ends at the next heading of the same or a higher level. Raises an error if one of `headings` is not a valid heading.',
    },
    (content, [, headings]) => {
      const wanted = isNil(headings) ? [] : stringList(headings, 'aip.file.load_md_sections');
      return mdSections(content, wanted).map((section) => ({ ...section }));
    },
  ),
  loader(
    'load_md_split_first',
    {
      signature: 'load_md_split_first(path: string) -> { before: string, first: MdSection | nil, after: string }',
      summary:
        'Returns the first section of a markdown file and the text after it. Text before the first heading counts as a section, so `before` is empty.',
    },
    (content) => ({ ...mdSplitFirst(content) }),
  ),
  loader(
    'load_csv_headers',
    {
      signature: 'load_csv_headers(path: string) -> string[]',
      summary: 'Returns the fields of the first row of a CSV file.',
    },
    (content) => [...parseCsv(content).headers],
  ),
  loader(
    'load_csv',
    {
      signature: 'load_csv(path: string, options?: CsvOptions) -> CsvContent',
      summary: 'Returns the header and the rows of a CSV file. The options are the same as for `aip.csv.parse`.',
    },
    (content, [, options], warn) => ({ ...parseCsv(content, csvOptions('aip.file.load_csv', options), warn) }),
  ),
  loader(
    'load_html_as_slim',
    {
      signature: 'load_html_as_slim(path: string) -> string',
      summary: 'Reads an HTML file and removes scripts, styles and comments, like `aip.html.slim`.',
    },
    slimHtml,
  ),
  loader(
    'load_html_as_md',
    {
      signature: 'load_html_as_md(path: string, options?: { trim?: boolean }) -> string',
      summary: 'Reads an HTML file as markdown. The HTML is slimmed first unless `trim` is false.',
    },
    (content, [, options]) => markdownOf(content, optionsTable('aip.file.load_html_as_md', options)['trim'] !== false),
  ),
  {
    name: 'load_docx_as_md',
    signature: 'load_docx_as_md(path: string) -> string',
    summary: 'Reads a Word document (`.docx`) as markdown.',
    call: docxAsMarkdown,
  },
];

interface FileFormatConversion {
  readonly name: string;
  readonly summary: string;
  /** Appended to the stem of the source file's name, for example `-slim`. */
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
 * Determines the destination from `DestOptions`: nothing, a path, or `{ base_dir?, file_name?, suffix?, slim? }`. By
 * default the file is written next to its source; with `base_dir` it is written to that folder and keeps the source's
 * name.
 */
function destinationOf(source: string, given: LuaValue, { name, suffix, extension }: FileFormatConversion): string {
  if (typeof given === 'string') return given;
  const options = optionsTable(name, given);
  const sourceName = nameOf(source);
  const dot = sourceName.lastIndexOf('.');
  const stem = dot > 0 ? sourceName.slice(0, dot) : sourceName;
  const baseDir = optionText(name, options, 'base_dir');
  const folder = baseDir ?? parentOf(source) ?? '';
  const ownSuffix = optionText(name, options, 'suffix') ?? (baseDir === undefined ? suffix : '');
  return joined(folder, optionText(name, options, 'file_name') ?? `${stem}${ownSuffix}.${extension}`);
}

function converter(conversion: FileFormatConversion): NativeFunction {
  const name = `aip.file.${conversion.name}`;
  return {
    name: conversion.name,
    signature: `${conversion.name}(path: string, destination?: string | { base_dir?: string, file_name?: string, suffix?: string, slim?: boolean }) -> FileInfo`,
    summary: conversion.summary,
    call: ([path, destination], context) => {
      const source = requiredString(path, 1);
      const target = destinationOf(source, destination, { ...conversion, name });
      const slim = typeof destination === 'string' || optionsTable(name, destination)['slim'] !== false;
      const content = conversion.convert(source, { slim }, context);
      return infoWithScriptPath(context.host('file.write', { path: target, content, mode: 'overwrite' }).info, target);
    },
  };
}

export const fileConvertMembers: readonly NativeFunction[] = [
  converter({
    name: 'save_html_to_md',
    summary:
      'Converts an HTML file to markdown and writes the result. The default destination is `<stem>.md` next to the file. The HTML is slimmed first unless `slim = false`.',
    suffix: '',
    extension: 'md',
    convert: (path, { slim }, { host }) => markdownOf(host('file.readText', { path }).text, slim),
  }),
  converter({
    name: 'save_html_to_slim',
    summary:
      'Slims an HTML file and writes the result. The default destination is `<stem>-slim.html` next to the file.',
    suffix: '-slim',
    extension: 'html',
    convert: (path, _options, { host }) => slimHtml(host('file.readText', { path }).text),
  }),
  converter({
    name: 'save_docx_to_md',
    summary:
      'Converts a Word document to markdown and writes the result. The default destination is `<stem>.md` next to the file.',
    suffix: '',
    extension: 'md',
    convert: (path, _options, { host }) => host('file.docxToMarkdown', { path }).markdown,
  }),
];
