/**
 * `aip.md`: extracts parts of markdown.
 */
import { isLuaMap, optionalString, optionsTable, requiredString, wantsRest } from '../api-arguments.ts';
import { type ApiModule, type LuaData, type LuaMap, LuaResults, type LuaValue } from '../api-module.ts';
import {
  afterLine,
  extractBlocks,
  type FenceState,
  type MdBlock,
  markdownParts,
  outerBlockContent,
} from '../formats/md-blocks.ts';
import { parseRelaxedJson } from '../formats/relaxed-json.ts';
import { linesOf, textOfLines } from '../formats/text-lines.ts';
import { parseToml, parseYaml } from '../formats/toml-yaml.ts';

const readers: ReadonlyMap<string, (text: string) => LuaData | undefined> = new Map([
  ['toml', parseToml],
  ['json', parseRelaxedJson],
  ['yaml', (text: string) => parseYaml(text)[0]],
  ['yml', (text: string) => parseYaml(text)[0]],
]);

/** Returns the data of a marked block without its mark; undefined for any other block. */
function metaOf({ lang, content }: MdBlock): LuaMap | undefined {
  const read = readers.get(lang);
  const newline = content.indexOf('\n');
  const mark = content.slice(0, newline).trim();
  if (read === undefined || !(mark.startsWith('#!meta') || mark.startsWith('//!meta'))) return undefined;
  const value = read(content.slice(newline + 1));
  return isLuaMap(value) ? value : {};
}

/**
 * Merges the data of all code blocks (three backticks; `toml`, `json`, `yaml` or `yml`) with a first line that begins
 * with `#!meta` or `//!meta`. For duplicate keys the last value wins.
 * @returns the data, and the text without these blocks
 * @throws EngineError `lua.refused-argument` for a marked block that cannot be parsed
 */
export function extractMeta(text: string): { readonly meta: LuaMap; readonly rest: string } {
  const found: [string, LuaData][] = [];
  const rest: string[] = [];
  for (const { block, isWithFour, lines } of markdownParts(text)) {
    const meta = block === undefined || isWithFour ? undefined : metaOf(block);
    if (meta === undefined) rest.push(textOfLines(lines));
    else for (const entry of Object.entries(meta)) found.push(entry);
  }
  const kept = rest.join('');
  return { meta: Object.fromEntries(found), rest: text.endsWith('\n') ? kept : kept.slice(0, -1) };
}

/** A link `[text](target)`, or an image with `![`, which is `inline`. */
type MdRef = {
  readonly _type: 'MdRef';
  readonly target: string;
  /** Absent if the brackets are empty. */
  readonly text?: string;
  readonly inline: boolean;
  /** `#…` is an anchor; `http://…`, `https://…` and `//…` are URLs; anything else is a file. */
  readonly kind: 'Anchor' | 'File' | 'Url';
};

function kindOf(target: string): MdRef['kind'] {
  if (target.startsWith('#')) return 'Anchor';
  return /^(?:https?:)?\/\//.test(target) ? 'Url' : 'File';
}

interface RefPlace {
  /** Positions of `[`, `]` and `)`. */
  readonly open: number;
  readonly close: number;
  readonly end: number;
}

function refOf(line: string, { open, close, end }: RefPlace): MdRef {
  const text = line.slice(open + 1, close);
  const target = line.slice(close + 2, end);
  const named = { _type: 'MdRef' as const, target, inline: line[open - 1] === '!', kind: kindOf(target) };
  return text === '' ? named : { ...named, text };
}

/** Runs in one pass: a bracket without a match rules out all brackets before the next closing one. */
function placesIn(line: string): RefPlace[] {
  const places: RefPlace[] = [];
  for (let open = line.indexOf('['); open !== -1; ) {
    const close = line.indexOf(']', open);
    if (close === -1) break;
    const isOpened = line[close + 1] === '(';
    const end = isOpened ? line.indexOf(')', close) : close;
    if (end === -1) break;
    if (end > close + 2) places.push({ open, close, end });
    open = line.indexOf('[', end > close + 2 ? end : close);
  }
  return places;
}

/** Text after an odd number of backticks is code. */
function refsOfLine(line: string): MdRef[] {
  let ticks = 0;
  let counted = 0;
  return placesIn(line).flatMap((place) => {
    for (; counted < place.open; counted++) if (line[counted] === '`') ticks++;
    return ticks % 2 === 0 ? [refOf(line, place)] : [];
  });
}

/** Returns a markdown text's references in order, except those in code fences and code spans. */
export function extractRefs(text: string): MdRef[] {
  const refs: MdRef[] = [];
  let fence: FenceState = 'out';
  for (const line of linesOf(text)) {
    const next = afterLine(fence, line);
    if (fence === 'out' && next === 'out') for (const ref of refsOfLine(line)) refs.push(ref);
    fence = next;
  }
  return refs;
}

function blocksOf([text, given]: readonly LuaValue[]): LuaValue | LuaResults {
  const name = 'aip.md.extract_blocks';
  const options = typeof given === 'string' ? { lang: given } : optionsTable(name, given);
  const { blocks, rest } = extractBlocks(requiredString(text, 1), optionalString(options['lang'], name));
  return wantsRest(name, options) ? new LuaResults(blocks, rest) : blocks;
}

export const mdApi: ApiModule = {
  name: 'md',
  summary: 'Extracts blocks, metadata and links from markdown.',
  members: [
    {
      name: 'extract_blocks',
      signature:
        'extract_blocks(text: string, lang?: string | { lang?: string, extrude?: "content" }) -> MdBlock[], string',
      summary:
        'Returns the code blocks with fences of three or four backticks, each as `{ lang: string, content: string }`. With `lang`, returns only blocks with exactly this label, or unlabeled blocks if it is `""`. With `extrude = "content"`, the second value is the text without the blocks.',
      call: blocksOf,
    },
    {
      name: 'extract_meta',
      signature: 'extract_meta(text: string | nil) -> table | nil, string | nil',
      summary:
        'Returns the data of all metadata blocks, merged into one table, and the text without these blocks. A metadata block has three backticks, the label `toml`, `json`, `yaml` or `yml`, and a first line that begins with `#!meta` or `//!meta`. If a key occurs more than once, the last value applies. Returns nil for nil. Raises an error if a block is invalid.',
      call: ([given]) => {
        const text = optionalString(given, 'aip.md.extract_meta');
        if (text === undefined) return undefined;
        const { meta, rest } = extractMeta(text);
        return new LuaResults(meta, rest);
      },
    },
    {
      name: 'outer_block_content_or_raw',
      signature: 'outer_block_content_or_raw(text: string) -> string',
      summary:
        'If the text begins with a fence, returns the lines between the first and the last line that begin with a fence. Otherwise returns the text unchanged. Useful if a model wraps its entire response in one block.',
      call: ([text]) => outerBlockContent(requiredString(text, 1)),
    },
    {
      name: 'extract_refs',
      signature: 'extract_refs(text: string | nil) -> MdRef[]',
      summary:
        'Returns the links `[text](target)` and images `![text](target)` outside code, each as `{ target: string, text?: string, inline: boolean, kind: "Anchor" | "File" | "Url" }`. Images are `inline`. Returns an empty list for nil.',
      call: ([text]) => extractRefs(optionalString(text, 'aip.md.extract_refs') ?? ''),
    },
  ],
};
