/**
 * The YAML that flow files are usually written in, read in one pass and without places: many times as fast as the full
 * reader. Whatever is not plainly the one thing it can mean is left to that reader.
 */
import { MAX_FLOW_TEXT_LENGTH } from './flow-limits.ts';
import type { JsonMap, JsonValue } from './json-value.ts';
import { leaveToFullReader, Unusual } from './quick-scalars.ts';
import { QuickScanner } from './quick-scanner.ts';

/** Far below the limit of the full reader, which is the one to report it. */
const maxQuickDepth = 50;

/**
 * The value of a text whose outermost part is a block map, exactly as the full reader gives it without problems;
 * undefined for text that is faulty or that only the full reader knows: anchors, tags, directives, several documents,
 * tabs, text over several lines but for `|` and `>`, and more. Never throws.
 * @param onItem hears each item of the lists that stand in the outermost map, also when the text turns out to be faulty
 */
export function readQuickly(text: string, onItem: ItemListener = () => undefined): JsonMap | undefined {
  if (text.length > MAX_FLOW_TEXT_LENGTH) return undefined;
  try {
    return new QuickReader(text, onItem).readDocument();
  } catch (thrown) {
    if (thrown instanceof Unusual) return undefined;
    throw thrown;
  }
}

/** @param span offsets of the item's value, end exclusive, in the text with `\r\n` read as `\n`; a comment behind it is left out */
type ItemListener = (list: string, index: number, span: readonly [number, number]) => void;

class QuickReader {
  readonly #scanner: QuickScanner;
  readonly #onItem: ItemListener;
  #depth = 0;
  /** The key in the outermost map. */
  #topKey = '';

  constructor(text: string, onItem: ItemListener) {
    this.#scanner = new QuickScanner(text);
    this.#onItem = onItem;
  }

  readDocument(): JsonMap {
    if (this.#scanner.nextLine() !== 0) leaveToFullReader();
    const map = this.#readMap(0);
    if (this.#scanner.nextLine() !== -1) leaveToFullReader();
    return map;
  }

  /** The scanner stands at the first key, in the column `indent`; afterwards at the start of a line. */
  #readMap(indent: number): JsonMap {
    this.#enter();
    const map: Record<string, JsonValue> = {};
    do {
      const key = this.#scanner.readKey();
      if (Object.hasOwn(map, key)) leaveToFullReader();
      if (this.#depth === 1) this.#topKey = key;
      map[key] = this.#scanner.atLineEnd() ? this.#readBelow(indent, 'entry') : this.#readBesides(indent);
    } while (this.#isNextAt(indent) && !this.#scanner.isAtDash());
    this.#depth--;
    return map;
  }

  #readList(indent: number): JsonValue[] {
    this.#enter();
    const list: JsonValue[] = [];
    do {
      const column = indent + this.#scanner.readDash();
      const start = this.#scanner.position;
      const isBelow = this.#scanner.atLineEnd();
      if (isBelow) list.push(this.#readBelow(indent, 'item'));
      else list.push(this.#scanner.isAtKey() ? this.#readMap(column) : this.#readBesides(indent));
      if (this.#depth === 2 && !isBelow) this.#onItem(this.#topKey, list.length - 1, [start, this.#scanner.valueEnd]);
    } while (this.#isNextAt(indent) && this.#scanner.isAtDash());
    this.#depth--;
    return list;
  }

  /** What stands in the lines below a key or dash in the column `indent`. */
  #readBelow(indent: number, owner: 'entry' | 'item'): JsonValue {
    const column = this.#scanner.nextLine();
    const isList = this.#scanner.isAtDash();
    // Below a key the dashes of a list may stand in the column of the key.
    const isInside = column > indent || (column === indent && isList && owner === 'entry');
    if (!isInside) leaveToFullReader();
    return isList ? this.#readList(column) : this.#readMap(column);
  }

  /** What stands in the line of its key or dash, which is in the column `indent`. */
  #readBesides(indent: number): JsonValue {
    const scanner = this.#scanner;
    if (scanner.isAtBlockText()) return scanner.readBlockText(indent);
    const value = scanner.isAtFlow() ? this.#readFlow(indent) : scanner.readScalar('line');
    scanner.endLine();
    return value;
  }

  #readFlow(indent: number): JsonValue {
    return this.#scanner.isAtFlowMap() ? this.#readFlowMap(indent) : this.#readFlowList(indent);
  }

  #readFlowMap(indent: number): JsonMap {
    this.#enter();
    const map: Record<string, JsonValue> = {};
    for (let isOpen = this.#scanner.openFlow(indent, '}'); isOpen; isOpen = this.#scanner.nextInFlow(indent, '}')) {
      const key = this.#scanner.readKey();
      if (Object.hasOwn(map, key)) leaveToFullReader();
      map[key] = this.#readFlowValue(indent);
    }
    this.#depth--;
    return map;
  }

  #readFlowList(indent: number): JsonValue[] {
    this.#enter();
    const list: JsonValue[] = [];
    for (let isOpen = this.#scanner.openFlow(indent, ']'); isOpen; isOpen = this.#scanner.nextInFlow(indent, ']')) {
      list.push(this.#readFlowValue(indent));
    }
    this.#depth--;
    return list;
  }

  #readFlowValue(indent: number): JsonValue {
    return this.#scanner.isAtFlow() ? this.#readFlow(indent) : this.#scanner.readScalar('flow');
  }

  /** Whether the next line goes on in the column `indent`; deeper it would go on with the value before. */
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
