/**
 * Data inside of markdown: blocks of TOML, JSON or YAML that are marked as such.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import { type MdBlock, markdownParts } from './md-blocks.ts';
import { parseRelaxedJson } from './relaxed-json.ts';
import { textOfLines } from './text-lines.ts';
import { parseToml } from './toml.ts';
import { parseYaml } from './yaml.ts';

const readers: ReadonlyMap<string, (text: string) => JsonValue | undefined> = new Map([
  ['toml', parseToml],
  ['json', parseRelaxedJson],
  ['yaml', (text: string) => parseYaml(text)[0]],
  ['yml', (text: string) => parseYaml(text)[0]],
]);

/** What a marked block holds, without its mark; undefined for any other block. */
function metaOf({ lang, content }: MdBlock): JsonMap | undefined {
  const read = readers.get(lang);
  const newline = content.indexOf('\n');
  const mark = content.slice(0, newline).trim();
  if (read === undefined || !(mark.startsWith('#!meta') || mark.startsWith('//!meta'))) return undefined;
  const value = read(content.slice(newline + 1));
  return isJsonMap(value) ? value : {};
}

/**
 * Merges the data of all blocks (three backticks; `toml`, `json`, `yaml` or `yml`) whose first line begins with `#!meta`
 * or `//!meta`: of equal keys the last one counts.
 * @returns the data, and the text without these blocks
 * @throws EngineError `lua.refused-argument` for a marked block that cannot be read
 */
export function extractMeta(text: string): { readonly meta: JsonMap; readonly rest: string } {
  const found: [string, JsonValue][] = [];
  const rest: string[] = [];
  for (const { block, isWithFour, lines } of markdownParts(text)) {
    const meta = block === undefined || isWithFour ? undefined : metaOf(block);
    if (meta === undefined) rest.push(textOfLines(lines));
    else for (const entry of Object.entries(meta)) found.push(entry);
  }
  const kept = rest.join('');
  return { meta: Object.fromEntries(found), rest: text.endsWith('\n') ? kept : kept.slice(0, -1) };
}
