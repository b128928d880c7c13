/**
 * Parses HTML as browsers do, with helpers for the tree.
 */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { scriptError } from '../script-error.ts';

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlChild = DefaultTreeAdapterTypes.ChildNode;

/** Maximum depth of elements; browsers allow half of this. The tree functions recurse once per level. */
const maxDepth = 1000;

/**
 * Parses a page or a fragment. Adds missing `html`, `head` and `body` elements and corrects invalid markup.
 * @throws EngineError `lua.refused-argument` if it is nested too deeply
 */
export function parseHtml(html: string): DefaultTreeAdapterTypes.Document {
  // With scripting disabled, `noscript` is parsed as elements and not as text.
  const document = parse(html, { scriptingEnabled: false });
  let level: readonly HtmlNode[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw scriptError(`The HTML is nested more than ${maxDepth} elements deep`);
    level = level.flatMap(childrenOf);
  }
  return document;
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

/** Returns a node's children. Text, comments and doctypes have none. */
export function childrenOf(node: HtmlNode): HtmlChild[] {
  return 'childNodes' in node ? node.childNodes : [];
}

export function attributeOf(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** Returns the text of a node and all its descendants. */
export function textOf(node: HtmlNode): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  return childrenOf(node).map(textOf).join('');
}

/** Returns the first element with this tag name, in document order. */
export function firstElement(node: HtmlNode, tag: string): HtmlElement | undefined {
  for (const child of childrenOf(node)) {
    if (!isElement(child)) continue;
    const found = child.tagName === tag ? child : firstElement(child, tag);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Elements without content and without an end tag. */
export const voidTags: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

/** Elements displayed as blocks. */
export const blockTags: ReadonlySet<string> = new Set(
  [
    'html head body title meta address article aside blockquote caption center dd details dialog dir div dl dt fieldset',
    'figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav noscript ol',
    'optgroup option p pre search section select summary table tbody td tfoot th thead tr ul',
  ]
    .join(' ')
    .split(' '),
);
