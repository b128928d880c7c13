/**
 * The values that cross the boundary when nodes are extracted to a new flow: values that the extracted nodes read from
 * outside, and values read from them.
 */
import type { TextEdit } from '../../../base/text-edit.ts';
import { pathText, readPath } from '../../bindings/binding-path.ts';
import type { NodeDoc } from '../../flow/flow-doc.ts';
import { isLoop, previousRoot } from '../../flow/loops.ts';
import type { PathPlace } from '../node-paths.ts';
import { refused } from '../raw-flow.ts';
import type { FlowLevels, LoopLevel } from './flow-levels.ts';
import { type NamedPath, PathNames } from './path-names.ts';
import type { PathReader } from './read-paths.ts';
import type { ExtractSelection } from './selection.ts';

/** A path in text, and the part of it that identifies the crossing value. */
interface Crossing {
  /** The value's path, used to derive its name. */
  readonly value: readonly string[];
  /** Number of segments in the text's path before the value. */
  readonly skipped: number;
}

const outputsKey = 'outputs';

export class CrossingValues {
  readonly #levels: FlowLevels;
  readonly #taken: ExtractSelection;
  readonly #nodeId: string;
  readonly #inputs = new PathNames();
  readonly #outputs = new PathNames();
  /** Flow inputs that the extracted nodes read, and whether each is definitely required. */
  readonly #flowInputs = new Map<string, boolean>();
  #readsMarker = false;

  constructor(levels: FlowLevels, taken: ExtractSelection, nodeId: string) {
    this.#levels = levels;
    this.#taken = taken;
    this.#nodeId = nodeId;
  }

  /** Whether anything outside reads if, or why, an extracted node was skipped. */
  get readsMarker(): boolean {
    return this.#readsMarker;
  }

  /**
   * Records that an extracted node reads a value. @throws EngineError `edit.refused` if no edge ensures that the value
   * exists by then
   */
  noteInside(place: PathPlace, reader: PathReader): void {
    const segments = readPath(place.text, place.offset)?.segments ?? [];
    const source = this.#outside(segments, reader.level);
    if (source === undefined) return;
    const isSure = reader.isSure && place.isStrict;
    if (source === 'flow' && segments[1] === 'input' && segments[2] !== undefined) {
      this.#flowInputs.set(segments[2], isSure || this.#flowInputs.get(segments[2]) === true);
      return;
    }
    if (source === 'node') this.#requireOrder(segments[0] ?? '', reader);
    this.#inputs.want(segments, { least: leastOf(this.#levels, segments, source), isSure });
    const own = source === 'loop' ? this.#formerPass(segments, reader.level) : undefined;
    if (own !== undefined) this.#wantOutput(own, false);
  }

  /**
   * Records that a value is read from extracted nodes. @throws EngineError `edit.refused` as above, and if it is read
   * as part of a larger value
   */
  noteOutside(place: PathPlace, reader: PathReader): void {
    const segments = readPath(place.text, place.offset)?.segments ?? [];
    const crossing = this.#inside(segments, reader);
    if (crossing === undefined) return;
    if (crossing.skipped === 0) this.#requireOrder(segments[0] ?? '', reader);
    this.#wantOutput(crossing.value, reader.isSure && place.isStrict);
  }

  /** Records that an extracted node's entire output is needed. */
  noteWhole(id: string): void {
    this.#wantOutput([id], false);
  }

  close(): void {
    this.#inputs.close(this.#flowInputs.keys());
    this.#outputs.close();
  }

  /** Names of flow inputs that both flows have, and whether each is definitely required. */
  get flowInputs(): ReadonlyMap<string, boolean> {
    return this.#flowInputs;
  }

  get inputs(): readonly NamedPath[] {
    return this.#inputs.all();
  }

  get outputs(): readonly NamedPath[] {
    return this.#outputs.all();
  }

  /** Returns the binding path in the original flow for an input of the new node. */
  pathOfInput({ path }: NamedPath): string {
    const own = this.#formerPass(path, this.#taken.level);
    return own === undefined ? pathText(path) : pathText([previousRoot, ...this.#outputPath(own)]);
  }

  pathOfWhole(id: string): string {
    return pathText(this.#outputPath([id]));
  }

  editInside({ text, offset }: PathPlace, level: LoopLevel): readonly TextEdit[] {
    const { segments = [], spans = [] } = readPath(text, offset) ?? {};
    const source = this.#outside(segments, level);
    const named = source === undefined ? undefined : this.#inputs.nameOf(segments);
    if (named === undefined) return [];
    const end = spans[named.path.length - 1]?.[1] ?? offset;
    return [{ start: offset, end, text: pathText(['flow', 'input', named.name]) }];
  }

  editOutside({ text, offset }: PathPlace, reader: PathReader): readonly TextEdit[] {
    const { segments = [], spans = [] } = readPath(text, offset) ?? {};
    const crossing = this.#inside(segments, reader);
    const named = crossing === undefined ? undefined : this.#outputs.nameOf(crossing.value);
    if (crossing === undefined || named === undefined) return [];
    const [start = offset] = spans[crossing.skipped] ?? [];
    const end = spans[crossing.skipped + named.path.length - 1]?.[1] ?? start;
    const written = pathText([this.#nodeId, outputsKey, named.name]);
    return [{ start, end, text: text[start] === '[' ? `.${written}` : written }];
  }

  /**
   * Returns the origin of a value whose path an extracted node reads; undefined if it comes from the extracted nodes.
   */
  #outside([root = '']: readonly string[], level: LoopLevel): 'node' | 'loop' | 'flow' | undefined {
    const source = this.#levels.sourceOf(root, level);
    const id = source?.is === 'node' ? source.id : source?.is === 'loop' ? source.loop : undefined;
    return source === undefined || (id !== undefined && this.#taken.ids.has(id)) ? undefined : source.is;
  }

  /** Returns the extracted node that a path refers to, and where in the path its value starts. */
  #inside(segments: readonly string[], reader: PathReader): Crossing | undefined {
    const [root = ''] = segments;
    const source = this.#levels.sourceOf(root, reader.level);
    if (source?.is === 'node' && this.#taken.ids.has(source.id)) return { value: segments, skipped: 0 };
    if (source?.is === 'loop') {
      const value = this.#formerPass(segments, reader.level);
      return value === undefined ? undefined : { value, skipped: 1 };
    }
    return source?.is === 'node' ? this.#inResults(segments, 0, reader) : undefined;
  }

  /** Returns the path, without `previous`, to an extracted node's output in the previous iteration. */
  #formerPass([root, ...rest]: readonly string[], level: LoopLevel): readonly string[] | undefined {
    const source = root === previousRoot ? this.#levels.sourceOf(root, level) : undefined;
    if (source?.is !== 'loop' || source.loop !== this.#taken.level) return undefined;
    const [id] = rest;
    if (id === undefined) throw this.#tooMuch(previousRoot, 'a node');
    return this.#taken.outer.includes(id) ? rest : undefined;
  }

  /**
   * Finds an extracted node in the output of the loop that contains it. @param at index of the loop's segment in the
   * path
   */
  #inResults(segments: readonly string[], at: number, reader: PathReader): Crossing | undefined {
    const loop = segments[at] ?? '';
    if (!this.#levels.loopsAt(this.#taken.level).includes(loop)) return undefined;
    const member = memberPlace(segments, at);
    if (member === undefined) return undefined;
    const id = segments[member];
    if (id === undefined) throw this.#tooMuch(pathText(segments), reader.node ?? 'the flow');
    if (this.#taken.outer.includes(id)) return { value: segments.slice(member), skipped: member };
    return this.#inResults(segments, member, reader);
  }

  #tooMuch(path: string, reader: string) {
    return refused(
      `"${reader}" reads all of "${path}", and the extraction would move ${this.#taken.outer.map((id) => `"${id}"`).join(', ')} within it. Select the whole loop as well, or read single values of its nodes.`,
    );
  }

  /** The value must exist by then, and an edge must guarantee this. */
  #requireOrder(read: string, { node, isBehind }: PathReader): void {
    // Values outside a loop exist before its body starts.
    if (node === undefined || this.#levels.levelOf(read) !== this.#taken.level) return;
    const own = this.#levels.holderAt(this.#taken.level, node);
    if (own === undefined || (isBehind && own === read) || this.#levels.before(own).has(read)) return;
    throw refused(
      `"${node}" reads from "${read}", but no edge connects them, so their order is undefined. Add an edge, then extract.`,
      node,
    );
  }

  #wantOutput(value: readonly string[], isSure: boolean): void {
    const node = this.#levels.node(value[0] ?? '');
    if (value[1] === 'skipped' || value[1] === 'reason') this.#readsMarker = true;
    this.#outputs.want(value, { least: leastBelow(node, value.length), isSure });
  }

  #outputPath(value: readonly string[]): readonly string[] {
    const named = this.#outputs.nameOf(value);
    if (named === undefined) return value;
    return [this.#nodeId, outputsKey, named.name, ...value.slice(named.path.length)];
  }
}

/** A marker counts as missing only as a whole, so no part of it may be passed separately. */
function leastBelow(node: NodeDoc | undefined, length: number): number {
  return isLoop(node?.type) ? length : 2;
}

function leastOf(levels: FlowLevels, segments: readonly string[], source: 'node' | 'loop' | 'flow'): number {
  if (source === 'node') return leastBelow(levels.node(segments[0] ?? ''), segments.length);
  return segments[0] === previousRoot ? segments.length : 1;
}

/**
 * Returns the index of the segment that names a node in a loop's output; past the end of the path if it refers to all
 * nodes.
 */
function memberPlace(segments: readonly string[], at: number): number | undefined {
  const [, key, , inner] = segments.slice(at);
  if (key === undefined) return segments.length;
  if (key === 'last') return at + 2;
  if (key !== 'iterations') return undefined;
  if (segments.length <= at + 3) return segments.length;
  return inner === outputsKey ? at + 4 : undefined;
}
