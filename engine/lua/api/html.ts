/**
 * `aip.html`: HTML cut down, searched, and written as markdown.
 */
import { isNil, requiredString, stringList } from '../api-arguments.ts';
import type { ApiModule, LuaValue, NativeFunction } from '../api-module.ts';
import { htmlToMarkdown } from '../html/html-to-markdown.ts';
import { selectHtml } from '../html/select-html.ts';
import { slimHtml } from '../html/slim-html.ts';
import { scriptError } from '../script-error.ts';

function slim(name: string, note = ''): NativeFunction {
  return {
    name,
    signature: `${name}(html: string) -> string`,
    summary: `${note}The HTML without scripts, styles, links, drawings, comments and empty elements, with the attributes \`class\`, \`aria-label\` and \`href\` only, indented. A part of a page becomes a page.`,
    call: ([html]) => slimHtml(requiredString(html, 1)),
  };
}

function select([html, selectors]: readonly LuaValue[]): LuaValue {
  const text = requiredString(html, 1);
  if (isNil(selectors)) return [];
  const list = stringList(selectors, 'aip.html.select');
  try {
    return selectHtml(text, list).map((element) => ({ ...element }));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw scriptError(`Cannot apply selector '${JSON.stringify(list)}'.\nCause: ${cause}`);
  }
}

export const htmlApi: ApiModule = {
  name: 'html',
  summary: 'Reads HTML. It need not be valid: it is read as browsers read it.',
  members: [
    slim('slim'),
    {
      name: 'select',
      signature: 'select(html: string, selectors: string | string[] | nil) -> Elem[]',
      summary:
        'The elements that match one of the CSS selectors, in the order of the page: `{ tag, attrs?, text?, inner_html? }`, texts trimmed. Nil selectors give an empty list. Raises when a selector cannot be read.',
      call: select,
    },
    {
      name: 'to_md',
      signature: 'to_md(html: string) -> string',
      summary: 'The HTML as markdown; its title is the first paragraph, scripts and styles are left out.',
      call: ([html]) => htmlToMarkdown(requiredString(html, 1)),
    },
    slim('prune_to_content', 'An older name of `slim`. '),
  ],
};
