/**
 * Extracts elements that models write around parts of their responses, such as `<FILE path="a.txt">…</FILE>`. This is
 * not XML: the caller supplies the names, nothing is decoded, and the content is taken literally up to the first
 * closing tag of the same name.
 */

/** An element as scripts see it. */
export type TagElement = {
  readonly tag: string;
  /** Absent if there are none. An attribute without a value is an empty string. */
  readonly attrs?: Readonly<Record<string, string>>;
  /** Empty for `<TAG/>`. */
  readonly content: string;
};

interface ExtractedTags {
  readonly elements: readonly TagElement[];
  /** The text without the elements. */
  readonly rest: string;
  /** Opening tags without a closing tag; they stay in `rest`. */
  readonly unclosed: readonly Omit<TagElement, 'content'>[];
}

interface OpeningTag {
  readonly tag: string;
  readonly attrs: Readonly<Record<string, string>> | undefined;
  /** Position after `>`. */
  readonly end: number;
  readonly isSelfClosing: boolean;
}

const attributePattern = /\s*([^\s=<>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|((?:[^\s>/"']|\/(?!>))*)))?/y;
const tagEndPattern = /\s*(\/?)>/y;

class TagReader {
  readonly #text: string;
  readonly #openPattern: RegExp;
  /** Position of the next closing tag by name, insofar as it is known; -1 if there is none. Keeps the search linear. */
  readonly #closings = new Map<string, number>();

  constructor(text: string, names: readonly string[]) {
    this.#text = text;
    const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    this.#openPattern = new RegExp(`<(${escaped.join('|')})(?=[\\s/>])`, 'g');
  }

  /** Returns the next opening tag at or after this position, and where it begins. */
  nextOpening(from: number): { readonly start: number; readonly opening: OpeningTag } | undefined {
    for (let at = from; ; ) {
      this.#openPattern.lastIndex = at;
      const found = this.#openPattern.exec(this.#text);
      if (found === null) return undefined;
      const opening = this.#readOpening(found[1] ?? '', found.index + found[0].length);
      if (typeof opening === 'object') return { start: found.index, opening };
      at = opening;
    }
  }

  /** Returns the start of the closing tag for an element opened before `from`; -1 if there is none. */
  closingOf(tag: string, from: number): number {
    const known = this.#closings.get(tag);
    if (known === -1 || (known !== undefined && known >= from)) return known;
    const at = this.#text.indexOf(`</${tag}>`, from);
    this.#closings.set(tag, at);
    return at;
  }

  /** Returns the position at which to continue, as a number, if this is not a tag. */
  #readOpening(tag: string, from: number): OpeningTag | number {
    const attrs: [string, string][] = [];
    let at = from;
    for (;;) {
      tagEndPattern.lastIndex = at;
      const end = tagEndPattern.exec(this.#text);
      if (end !== null) {
        const isSelfClosing = end[1] === '/';
        const record = attrs.length === 0 ? undefined : Object.fromEntries(attrs);
        return { tag, attrs: record, end: at + end[0].length, isSelfClosing };
      }
      attributePattern.lastIndex = at;
      const attribute = attributePattern.exec(this.#text);
      if (attribute === null) return at;
      attrs.push([attribute[1] ?? '', attribute[2] ?? attribute[3] ?? attribute[4] ?? '']);
      at += attribute[0].length;
    }
  }
}

/**
 * Extracts the outermost elements from a text, in order.
 * @param names at least one; case-sensitive
 * @param limit maximum number of elements
 */
export function extractTags(
  text: string,
  names: readonly string[],
  limit: number = Number.POSITIVE_INFINITY,
): ExtractedTags {
  const reader = new TagReader(text, names);
  const elements: TagElement[] = [];
  const unclosed: Omit<TagElement, 'content'>[] = [];
  const rest: string[] = [];
  let kept = 0;
  for (let from = 0; elements.length < limit; ) {
    const next = reader.nextOpening(from);
    if (next === undefined) break;
    const { tag, attrs, end, isSelfClosing } = next.opening;
    const element = attrs === undefined ? { tag } : { tag, attrs };
    const closing = isSelfClosing ? end : reader.closingOf(tag, end);
    from = end;
    if (closing === -1) {
      unclosed.push(element);
      continue;
    }
    elements.push({ ...element, content: text.slice(end, closing) });
    rest.push(text.slice(kept, next.start));
    from = isSelfClosing ? end : closing + tag.length + 3;
    kept = from;
  }
  rest.push(text.slice(kept));
  return { elements, rest: rest.join(''), unclosed };
}
