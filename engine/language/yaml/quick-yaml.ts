/**
 * Parses the YAML that flow files typically contain, in one pass and without positions, many times faster than the full
 * parser. Anything that is not clearly unambiguous is left to the full parser.
 */
import { MAX_FLOW_TEXT_LENGTH } from '../flow/flow-limits.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import { QuickCursor } from './quick-cursor.ts';
import { QuickFlow } from './quick-flow.ts';
import { closeBrace, closeBracket, leaveToFullReader, Unusual } from './quick-scalars.ts';
import { QuickScanner } from './quick-scanner.ts';

/** Far below the limit of the full parser, which reports the error. */
const maxQuickDepth = 50;

/**
 * Returns the value of a text with a map at the top level, including flow style such as JSON, exactly as the full
 * parser does for valid text. Returns undefined for invalid text and for features that only the full parser supports:
 * anchors, tags, directives, several documents, multi-line text except `|` and `>`, and more. Never throws.
 * @param onItem called with items of the lists in the top-level map, even if the text turns out to be invalid: all that
 * start on the line of their dash or in brackets, except for `|` and `>` text
 */
export function readQuickly(text: string, onItem: YamlItemListener = () => undefined): JsonMap | undefined {
  if (text.length > MAX_FLOW_TEXT_LENGTH) return undefined;
  try {
    return new QuickReader(text, onItem).readDocument();
  } catch (thrown) {
    if (thrown instanceof Unusual) return undefined;
    throw thrown;
  }
}

/**
 * @param span offsets of the item's value, end exclusive, in the text with `\r\n` read as `\n`, excluding a comment
 * after it
 */
type YamlItemListener = (list: string, index: number, span: readonly [number, number]) => void;

class QuickReader {
  readonly #cursor: QuickCursor;
  readonly #scanner: QuickScanner;
  readonly #flow: QuickFlow;
  readonly #onItem: YamlItemListener;
  #depth = 0;
  /** The current key in the top-level map. */
  #topKey = '';

  constructor(text: string, onItem: YamlItemListener) {
    this.#cursor = new QuickCursor(text);
    this.#scanner = new QuickScanner(this.#cursor);
    this.#flow = new QuickFlow(this.#cursor);
    this.#onItem = onItem;
  }

  readDocument(): JsonMap {
    this.#scanner.openDocument();
    if (this.#scanner.nextLine() !== 0) leaveToFullReader();
    const map = this.#flow.isAtMap() ? this.#readFlowFile() : this.#readMap(0, this.#readFirstKey());
    if (this.#scanner.nextLine() !== -1) leaveToFullReader();
    return map;
  }

  #readFlowFile(): JsonMap {
    const map = this.#readFlowMap(-1);
    this.#scanner.endLine();
    return map;
  }

  #readFirstKey(): string {
    return this.#scanner.tryKey() ?? leaveToFullReader();
  }

  /** The scanner starts after the first key, which is in column `indent`, and ends at the start of a line. */
  #readMap(indent: number, firstKey: string): JsonMap {
    this.#enter();
    const map: Record<string, JsonValue> = {};
    for (let key: string | undefined = firstKey; key !== undefined; key = this.#nextKey(indent)) {
      if (Object.hasOwn(map, key)) leaveToFullReader();
      if (this.#depth === 1) this.#topKey = key;
      map[key] = this.#scanner.atLineEnd() ? this.#readBelow(indent, 'entry') : this.#readBesides(indent);
    }
    this.#depth--;
    return map;
  }

  #nextKey(indent: number): string | undefined {
    return this.#isNextAt(indent) && !this.#scanner.isAtDash() ? this.#readFirstKey() : undefined;
  }

  #readList(indent: number): JsonValue[] {
    this.#enter();
    const list: JsonValue[] = [];
    do list.push(this.#readItem(indent, list.length));
    while (this.#isNextAt(indent) && this.#scanner.isAtDash());
    this.#depth--;
    return list;
  }

  #readItem(indent: number, index: number): JsonValue {
    const scanner = this.#scanner;
    const column = indent + scanner.readDash();
    const start = this.#cursor.position;
    if (scanner.atLineEnd()) return this.#readBelow(indent, 'item');
    if (scanner.isAtBlockText()) return scanner.readBlockText(indent);
    const key = scanner.tryKey();
    const value = key === undefined ? this.#readInLine(indent) : this.#readMap(column, key);
    if (this.#depth === 2) {
      this.#onItem(this.#topKey, index, [start, key === undefined ? scanner.valueEnd : scanner.contentEnd]);
    }
    return value;
  }

  /** Reads the value on the lines below a key or dash in column `indent`. */
  #readBelow(indent: number, owner: 'entry' | 'item'): JsonValue {
    const column = this.#scanner.nextLine();
    const isList = this.#scanner.isAtDash();
    // Below a key, the dashes of a list may be in the same column as the key.
    const isInside = column > indent || (column === indent && isList && owner === 'entry');
    if (!isInside) leaveToFullReader();
    if (isList) return this.#readList(column);
    const key = this.#scanner.tryKey();
    return key === undefined ? this.#readInLine(indent) : this.#readMap(column, key);
  }

  /** Reads the value on the line of its key or dash, which is in column `indent`. */
  #readBesides(indent: number): JsonValue {
    return this.#scanner.isAtBlockText() ? this.#scanner.readBlockText(indent) : this.#readInLine(indent);
  }

  /** Reads a value on one line, or in brackets, of a key or dash in column `indent`. */
  #readInLine(indent: number): JsonValue {
    const value = this.#flow.isAtCollection() ? this.#readFlow(indent) : this.#scanner.readScalar();
    this.#scanner.endLine();
    return value;
  }

  #readFlow(indent: number): JsonValue {
    return this.#flow.isAtMap() ? this.#readFlowMap(indent) : this.#readFlowList(indent);
  }

  #readFlowMap(indent: number): JsonMap {
    this.#enter();
    const map: Record<string, JsonValue> = {};
    for (let isOpen = this.#flow.open(indent, closeBrace); isOpen; isOpen = this.#flow.next(closeBrace)) {
      const key = this.#flow.readKey();
      if (Object.hasOwn(map, key)) leaveToFullReader();
      if (this.#depth === 1) this.#topKey = key;
      map[key] = this.#readFlowValue(indent);
    }
    this.#depth--;
    return map;
  }

  #readFlowList(indent: number): JsonValue[] {
    this.#enter();
    const list: JsonValue[] = [];
    for (let isOpen = this.#flow.open(indent, closeBracket); isOpen; isOpen = this.#flow.next(closeBracket)) {
      const start = this.#cursor.position;
      list.push(this.#readFlowValue(indent));
      if (this.#depth === 2) this.#onItem(this.#topKey, list.length - 1, [start, this.#cursor.position]);
    }
    this.#depth--;
    return list;
  }

  #readFlowValue(indent: number): JsonValue {
    return this.#flow.isAtCollection() ? this.#readFlow(indent) : this.#flow.readScalar();
  }

  /** Whether the next line is in column `indent`. A more deeply indented line would continue the previous value. */
  #isNextAt(indent: number): boolean {
    const column = this.#scanner.nextLine();
    if (column > indent) leaveToFullReader();
    return column === indent;
  }

  #enter(): void {
    this.#depth++;
    if (this.#depth > maxQuickDepth) leaveToFullReader();
  }
}
