/**
 * Elements of a page by CSS selectors.
 */
import { type Options, selectAll } from 'css-select';
import { serialize } from 'parse5';
import { attributeOf, childrenOf, type HtmlElement, type HtmlNode, isElement, parseHtml, textOf } from './html-tree.ts';

/** An element as scripts see it; what is empty is absent. */
export interface SelectedElement {
  readonly tag: string;
  readonly attrs?: Readonly<Record<string, string>>;
  /** Trimmed. */
  readonly text?: string;
  /** Trimmed. */
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
 * The elements that match one of the selectors, each once, in the order of the page. Blank selectors count for nothing.
 * @throws Error a selector that cannot be read, in the parser's words
 */
export function selectHtml(html: string, selectors: readonly string[]): SelectedElement[] {
  const selector = selectors
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(',');
  if (selector === '') return [];
  return selectAll<HtmlNode, HtmlElement>(selector, parseHtml(html), { adapter }).map(describe);
}
