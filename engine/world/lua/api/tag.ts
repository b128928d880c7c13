/**
 * `aip.tag`: extracts elements from text.
 */
import type { JsonValue } from '../../../language/json/json-value.ts';
import { isNil, optionsTable, requiredString, stringList, wantsRest } from '../api-arguments.ts';
import { type ApiModule, LuaResults, type LuaValue, type NativeFunction } from '../api-module.ts';
import { extractTags, type TagElement } from '../formats/tags.ts';
import { scriptError } from '../script-error.ts';
import { trimText } from '../text/cutting-functions.ts';

function tagNames(value: LuaValue): readonly string[] {
  if (isNil(value)) throw scriptError('aip.tag.extract requires tag_names');
  const names = stringList(value, 'aip.tag.extract tag_names').map(trimText);
  if (names.length === 0) throw scriptError('tag_names list must not be empty');
  if (names.includes('')) throw scriptError('tag_names cannot contain empty entries after trimming');
  return names;
}

/** The three functions differ only in how they return the elements. */
function extracting(
  info: Omit<NativeFunction, 'call'>,
  shape: (elements: readonly TagElement[]) => JsonValue,
): NativeFunction {
  return {
    ...info,
    call: ([text, names, given]) => {
      const name = `aip.tag.${info.name}`;
      const { elements, rest } = extractTags(requiredString(text, 1), tagNames(names));
      const shaped = shape(elements);
      return wantsRest(name, optionsTable(name, given)) ? new LuaResults(shaped, rest) : shaped;
    },
  };
}

function byTag(elements: readonly TagElement[]): JsonValue {
  const lists = new Map<string, TagElement[]>();
  for (const element of elements) {
    const list = lists.get(element.tag);
    if (list === undefined) lists.set(element.tag, [element]);
    else list.push(element);
  }
  return Object.fromEntries(lists);
}

const parameters = '(text: string, names: string | string[], options?: { extrude?: "content" })';
const restOf = 'With `extrude = "content"` the second value is the text without the elements.';

export const tagApi: ApiModule = {
  name: 'tag',
  summary:
    'Extracts elements that models write in their responses, such as `<FILE path="a.txt">…</FILE>`. An element is `{ tag: string, attrs?: table, content: string }`.',
  members: [
    extracting(
      {
        name: 'extract',
        signature: `extract${parameters} -> TagElem[], string`,
        summary: `Returns the elements with any of the names, in text order. Nested elements remain part of the outer element's content. ${restOf} Raises an error if a name is blank or the list of names is empty.`,
      },
      (elements) => elements,
    ),
    extracting(
      {
        name: 'extract_as_map',
        signature: `extract_as_map${parameters} -> { [tag]: TagElem }, string`,
        summary: `Like \`extract\`, but returns a table that maps each name to its last element. ${restOf}`,
      },
      (elements) => Object.fromEntries(elements.map((element) => [element.tag, element])),
    ),
    extracting(
      {
        name: 'extract_as_multi_map',
        signature: `extract_as_multi_map${parameters} -> { [tag]: TagElem[] }, string`,
        summary: `Like \`extract\`, but returns a table that maps each name to a list of its elements. ${restOf}`,
      },
      byTag,
    ),
  ],
};
