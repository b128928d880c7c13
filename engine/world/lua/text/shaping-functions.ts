/**
 * `aip.text` functions that change text or find something in it.
 */
import { decodeHTMLStrict } from 'entities';
import {
  asNumber,
  isLuaMap,
  isNil,
  luaSequence,
  luaTypeOf,
  optionalString,
  optionsTable,
  wantsRest,
} from '../api-arguments.ts';
import { LuaResults, type LuaValue, type NativeFunction } from '../api-module.ts';
import { scriptError } from '../script-error.ts';
import { extractLineBlocks, replaceMarkers, withSingleNewline } from './edit-lines.ts';
import { onText } from './on-text.ts';

/** Units for byte sizes. Formatted sizes have nine characters so that they align in columns. */
const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/**
 * Formats a size with six characters for the number, a space and two for the unit: `   777 B `, `  8.78 KB`. Each unit
 * is 1000 times the previous one; all except bytes have two decimals.
 * @param bytes rounded; negative values count as 0
 * @param lowestUnit the smallest unit to use; an unknown unit counts as `MB`
 */
export function formatSize(bytes: number, lowestUnit = 'B'): string {
  const size = Math.max(0, Math.round(bytes));
  const known = units.indexOf(lowestUnit);
  let at = known === -1 ? units.indexOf('MB') : known;
  let scaled = size / 1000 ** at;
  for (; scaled >= 1000 && at < units.length - 1; at++) scaled /= 1000;
  const number = at === 0 ? String(size) : scaled.toFixed(2);
  return `${number.padStart(6)} ${(units[at] ?? '').padEnd(2)}`;
}

function ensured(text: string, args: readonly LuaValue[], name: string): string {
  const options = optionsTable(name, args[1]);
  const unknown = Object.keys(options).find((key) => key !== 'prefix' && key !== 'suffix');
  if (unknown !== undefined) {
    throw scriptError(
      `Ensure argument contains invalid table property \`${unknown}\`. Can only contain \`prefix\` and/or \`suffix\``,
    );
  }
  const prefix = optionalString(options['prefix'], name) ?? '';
  const suffix = optionalString(options['suffix'], name) ?? '';
  return (text.startsWith(prefix) ? '' : prefix) + text + (text.endsWith(suffix) ? '' : suffix);
}

/** Returns a section's text. The section is text or a table with text in `content`. */
function sectionText(section: LuaValue): string {
  const content = isLuaMap(section) ? section['content'] : section;
  if (typeof content === 'string') return content;
  throw scriptError('aip.text.replace_markers - the sections must be strings, or tables with a string as content');
}

function sectionsOf(value: LuaValue): readonly string[] {
  const sections = luaSequence(value);
  if (sections === undefined) throw scriptError('aip.text.replace_markers - the sections must be a list');
  return sections.map(sectionText);
}

function lineBlocks(text: string, args: readonly LuaValue[], name: string): LuaResults {
  const options = optionsTable(name, args[1]);
  const prefix = options['starts_with'];
  if (typeof prefix !== 'string') throw scriptError(`${name} - the option 'starts_with' must be a string`);
  const { blocks, rest } = extractLineBlocks(text, prefix, asNumber(options['first']));
  return new LuaResults(blocks, wantsRest(name, options) ? rest : undefined);
}

function sizeText([bytes, given]: readonly LuaValue[]): LuaValue {
  if (isNil(bytes)) return undefined;
  const size = asNumber(bytes);
  if (size === undefined) {
    throw scriptError(
      `bad argument #1: error converting Lua ${luaTypeOf(bytes)} to integer (bytes argument must be a number)`,
    );
  }
  const name = 'aip.text.format_size';
  const options = typeof given === 'string' ? { lowest_unit: given } : optionsTable(name, given);
  const text = formatSize(size, optionalString(options['lowest_unit'], name));
  return 'trim' in options && options['trim'] === true ? text.trim() : text;
}

const trailingNewline = {
  signature: '(text: string | nil) -> string | nil',
  summary: 'Returns the text with exactly one trailing newline. An empty string becomes one newline.',
};

export const shapingFunctions: readonly NativeFunction[] = [
  onText(
    {
      name: 'ensure',
      signature: 'ensure(text: string | nil, { prefix?: string, suffix?: string }) -> string | nil',
      summary: 'Adds the prefix and the suffix to the text where they are missing. Raises an error for other options.',
    },
    ensured,
  ),
  onText(
    {
      name: 'ensure_single_trailing_newline',
      signature: `ensure_single_trailing_newline${trailingNewline.signature}`,
      summary: trailingNewline.summary,
    },
    withSingleNewline,
  ),
  onText(
    {
      name: 'ensure_single_ending_newline',
      signature: `ensure_single_ending_newline${trailingNewline.signature}`,
      summary: 'Former name of `ensure_single_trailing_newline`.',
    },
    withSingleNewline,
  ),
  onText(
    {
      name: 'replace_markers',
      signature: 'replace_markers(text: string | nil, sections: (string | { content: string })[]) -> string | nil',
      summary:
        'Replaces each region from a line with `<<START>>` to a line with `<<END>>`, including both lines, with the next section. Raises an error if a marker is unmatched or there are too few sections.',
    },
    (text, args) => replaceMarkers(text, sectionsOf(args[1])),
  ),
  onText(
    {
      name: 'extract_line_blocks',
      signature:
        'extract_line_blocks(text: string | nil, { starts_with: string, first?: integer, extrude?: "content" }) -> string[] | nil, string | nil',
      summary:
        'Returns the groups of consecutive lines that begin with `starts_with`, with a newline after every line. `first` limits the number of groups. With `extrude = "content"`, the second value is the text without the groups.',
    },
    lineBlocks,
  ),
  {
    name: 'format_size',
    signature:
      'format_size(bytes: number | nil, lowest_unit?: string | { lowest_unit?: string, trim?: boolean }) -> string | nil',
    summary:
      'Formats a size in bytes for people, padded to nine characters, for example `  5.24 MB`. The units are `B`, `KB`, `MB`, `GB`, `TB` and `PB`, in steps of 1000. Units below `lowest_unit` are not used. `trim` removes the padding. Returns nil for nil.',
    call: sizeText,
  },
  onText(
    {
      name: 'escape_decode',
      signature: 'escape_decode(text: string | nil) -> string | nil',
      summary: 'Replaces HTML entities, such as `&lt;`, with the characters they represent.',
    },
    (text) => decodeHTMLStrict(text),
  ),
  onText(
    {
      name: 'escape_decode_if_needed',
      signature: 'escape_decode_if_needed(text: string | nil) -> string | nil',
      summary: 'Like `escape_decode` if the text contains `&lt;`. Otherwise returns the text unchanged.',
    },
    (text) => (text.includes('&lt;') ? decodeHTMLStrict(text) : text),
  ),
];
