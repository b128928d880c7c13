/**
 * `aip.html`: slims HTML, selects elements and converts HTML to markdown.
 */
import { type Options, selectAll } from 'css-select';
import { serialize } from 'parse5';
import { isNil, requiredString, stringList } from '../api-arguments.ts';
import type { ApiModule, LuaValue, NativeFunction } from '../api-module.ts';
import { htmlToMarkdown } from '../html/html-to-markdown.ts';
import {
  attributeOf,
  childrenOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  parseHtml,
  textOf,
} from '../html/html-tree.ts';
import { slimHtml } from '../html/slim-html.ts';
import { scriptError } from '../script-error.ts';

/** An element as scripts see it. Empty fields are absent. */
interface SelectedElement {
  readonly tag: string;
  readonly attrs?: Readonly<Record<string, string>>;
  /** Trimmed text content. */
  readonly text?: string;
  /** Trimmed inner HTML. */
  readonly inner_html?: string;
}

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>['adapter']>;
type Test = (element: HtmlElement) => boolean;

function findAll(test: Test, nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.filter(isElement).flatMap((node) => [...(test(node) ? [node] : []), ...findAll(test, childrenOf(node))]);
}

function findOne(test: Test, nodes: readonly HtmlNode[]): HtmlElement | null {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const found = test(node) ? node : findOne(test, childrenOf(node));
    if (found !== null) return found;
  }
  return null;
}

function parentOf(node: HtmlNode): HtmlNode | null {
  return 'parentNode' in node ? node.parentNode : null;
}

function isInsideOneOf(node: HtmlNode, nodes: ReadonlySet<HtmlNode>): boolean {
  for (let parent = parentOf(node); parent !== null; parent = parentOf(parent)) if (nodes.has(parent)) return true;
  return false;
}

const adapter: Adapter = {
  isTag: isElement,
  existsOne: (test, nodes) => findOne(test, nodes) !== null,
  getAttributeValue: attributeOf,
  getChildren: childrenOf,
  getName: (element) => element.tagName,
  getParent: parentOf,
  getSiblings: (node) => {
    const parent = parentOf(node);
    return parent === null ? [node] : childrenOf(parent);
  },
  getText: textOf,
  hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
  removeSubsets: (nodes) => {
    const all = new Set(nodes);
    return [...all].filter((node) => !isInsideOneOf(node, all));
  },
  findAll,
  findOne,
};

function describe(element: HtmlElement): SelectedElement {
  const text = textOf(element).trim();
  const inner = serialize(element).trim();
  return {
    tag: element.tagName,
    ...(element.attrs.length > 0 && {
      attrs: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    }),
    ...(text !== '' && { text }),
    ...(inner !== '' && { inner_html: inner }),
  };
}

/**
 * Returns the elements that match any of the selectors, each once, in document order. Blank selectors are ignored.
 * @throws Error for an invalid selector, with the parser's message
 */
export function selectHtml(html: string, selectors: readonly string[]): SelectedElement[] {
  const selector = selectors
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(',');
  if (selector === '') return [];
  return selectAll<HtmlNode, HtmlElement>(selector, parseHtml(html), { adapter }).map(describe);
}

function slim(name: string, note = ''): NativeFunction {
  return {
    name,
    signature: `${name}(html: string) -> string`,
    summary: `${note}Returns the HTML without scripts, styles, \`<link>\` elements, SVG drawings, comments and empty elements. Keeps only the attributes \`class\`, \`aria-label\` and \`href\`, and indents the result. A fragment becomes a complete page.`,
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
  summary: 'Parses HTML. Accepts invalid HTML and parses it as browsers do.',
  members: [
    slim('slim'),
    {
      name: 'select',
      signature: 'select(html: string, selectors: string | string[] | nil) -> Elem[]',
      summary:
        'Returns the elements that match any of the CSS selectors, in document order, as `{ tag, attrs?, text?, inner_html? }`. `text` and `inner_html` are trimmed. Returns an empty list if `selectors` is nil. Raises an error if a selector is invalid.',
      call: select,
    },
    {
      name: 'to_md',
      signature: 'to_md(html: string) -> string',
      summary: 'Converts HTML to markdown. The title becomes the first paragraph; scripts and styles are omitted.',
      call: ([html]) => htmlToMarkdown(requiredString(html, 1)),
    },
    slim('prune_to_content', 'Former name of `slim`. '),
  ],
};
