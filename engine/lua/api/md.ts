/**
 * `aip.md`.
 */
import { optionalString, requiredString } from '../api-arguments.ts';
import { type ApiModule, LuaResults, type LuaValue } from '../api-module.ts';
import { optionsTable, wantsRest } from '../api-options.ts';
import { extractBlocks, outerBlockContent } from '../formats/md-blocks.ts';
import { extractMeta } from '../formats/md-meta.ts';
import { extractRefs } from '../formats/md-refs.ts';

function blocksOf([text, given]: readonly LuaValue[]): LuaValue | LuaResults {
  const name = 'aip.md.extract_blocks';
  const options = typeof given === 'string' ? { lang: given } : optionsTable(name, given);
  const { blocks, rest } = extractBlocks(requiredString(text, 1), optionalString(options['lang'], name));
  return wantsRest(name, options) ? new LuaResults(blocks, rest) : blocks;
}

export const mdApi: ApiModule = {
  name: 'md',
  summary: 'Reads markdown.',
  members: [
    {
      name: 'extract_blocks',
      signature:
        'extract_blocks(text: string, lang?: string | { lang?: string, extrude?: "content" }) -> MdBlock[], string',
      summary:
        'The blocks between fences of three or four backticks, each as `{ lang: string, content: string }`; with `lang` only those with exactly this label, with `""` those without one. With `extrude = "content"` the second value is the text without them.',
      call: blocksOf,
    },
    {
      name: 'extract_meta',
      signature: 'extract_meta(text: string | nil) -> table | nil, string | nil',
      summary:
        'The data of all blocks of three backticks labelled `toml`, `json`, `yaml` or `yml` whose first line begins with `#!meta` or `//!meta`, merged into one table where the last key counts, and the text without these blocks. Raises for a block that cannot be read.',
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
        'When the text begins with a fence, what stands between its first and its last line that begin with one; else the text as it is. For answers that a model has wrapped in one block.',
      call: ([text]) => outerBlockContent(requiredString(text, 1)),
    },
    {
      name: 'extract_refs',
      signature: 'extract_refs(text: string | nil) -> MdRef[]',
      summary:
        'The links `[text](target)` and images `![text](target)`, without those in code, each as `{ target: string, text?: string, inline: boolean, kind: "Anchor" | "File" | "Url" }`; images are `inline`. An empty list for nil.',
      call: ([text]) => extractRefs(optionalString(text, 'aip.md.extract_refs') ?? ''),
    },
  ],
};
