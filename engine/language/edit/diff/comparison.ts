/**
 * Compares two texts of a flow part by part.
 */
import { Lexer } from 'yaml';
import { applyEdits, type TextEdit } from '../../../base/text-edit.ts';
import { looksLikeStepFlow } from '../../flow/other-format.ts';
import type { JsonMap } from '../../json/json-value.ts';
import { valueAt } from '../../schema/schema-problems.ts';
import { YamlPlaces } from '../../yaml/yaml-places.ts';
import { editsToRoot, flowTextOf } from '../edit-flow.ts';
import { refused } from '../raw-flow.ts';
import type { NodeRename } from '../rename-node.ts';
import { type MapText, shiftedEdits } from '../yaml/edit-text.ts';
import { describeDifference } from './describe-difference.ts';
import { followRenames, renamedOrNothing } from './find-renames.ts';
import {
  type DifferenceLines,
  type DifferencePart,
  type FlowDifference,
  keyOf,
  type LineSpan,
} from './flow-difference.ts';
import { groupParts } from './group-parts.ts';
import { type Choose, mergeFlow } from './merge-flow.ts';
import { namedEdges, namedNodes, namedTriggers } from './named-parts.ts';

const scalarMark = '\x1f';

/** Two texts of a flow file. */
export interface FlowTexts {
  readonly before: string;
  readonly after: string;
}

export class FlowComparison {
  readonly #texts: FlowTexts;
  readonly #before: MapText;
  readonly #after: MapText;
  /** The first version with the names of the second one. */
  readonly #root: JsonMap;
  readonly #renames: readonly NodeRename[];

  /** @throws EngineError `edit.refused` if a text is not a flow, or invalid YAML */
  constructor(texts: FlowTexts) {
    this.#texts = texts;
    this.#before = flowTextOf(texts.before);
    this.#after = flowTextOf(texts.after);
    if (looksLikeStepFlow(this.#before.value) !== looksLikeStepFlow(this.#after.value))
      throw refused('One of the texts is a list of steps and the other one has nodes. Convert one of them first.');
    const { root, renames } = looksLikeStepFlow(this.#before.value)
      ? { root: this.#before.value, renames: [] }
      : followRenames(this.#before.value, this.#after.value);
    this.#root = root;
    this.#renames = renames;
  }

  differences(): readonly FlowDifference[] {
    const parts: DifferencePart[] = this.#renames.map(({ from, to: id }) => ({ what: 'node-renamed', from, id }));
    const root = mergeFlow(this.#root, this.#after.value, (part) => parts.push(part) > 0);
    const groups = groupParts(parts, { before: this.#root, after: this.#after.value });
    const lines = this.#lines();
    const found = groups.map((group) => ({
      ...group,
      line: lines.of(group.parts[0]),
      text: describeDifference(group.parts),
    }));
    const isRestChanged = !this.#isSecondText(root, found.length > 0);
    const rest = isRestChanged ? [textDifference(found.map(({ key }) => key))] : [];
    return [...found.sort((a, b) => a.line - b.line), ...rest];
  }

  /** Returns the lines of each difference. @param differences those of this comparison */
  linesOf(differences: readonly FlowDifference[]): readonly DifferenceLines[] {
    const lines = this.#lines();
    const spans = (parts: readonly DifferencePart[], side: TextSideName): readonly LineSpan[] =>
      parts.flatMap((part) => lines.span(part, side) ?? []);
    return differences.map(({ key, parts }) => ({ key, before: spans(parts, 'before'), after: spans(parts, 'after') }));
  }

  #lines(): PartLines {
    return new PartLines(sideOf(this.#before, this.#root), sideOf(this.#after, this.#after.value));
  }

  /** Returns the edits of the first text that take the chosen parts over, and no others. */
  edits(choose: Choose): readonly TextEdit[] {
    let root = mergeFlow(this.#root, this.#after.value, choose);
    const renames = this.#renames.filter(({ from, to: id }) => choose({ what: 'node-renamed', from, id }));
    for (const rename of this.#renames.filter((one) => !renames.includes(one)))
      root = renamedOrNothing(root, { from: rename.to, to: rename.from }) ?? root;
    return this.#editsTo(root, renames);
  }

  #editsTo(root: JsonMap, renamings: readonly NodeRename[]): readonly TextEdit[] {
    return shiftedEdits(this.#texts.before, () => editsToRoot(this.#before, { root, renamings }));
  }

  /**
   * Whether the first text becomes the second one by edits that change its value, except for the formatting if it has
   * other differences.
   */
  #isSecondText(root: JsonMap, hasOthers: boolean): boolean {
    const { before, after } = this.#texts;
    if (before === after) return true;
    const edited = applyEdits(before, [...this.#editsTo(root, this.#renames)]);
    return edited === after || (hasOthers && commentsOf(edited) === commentsOf(after));
  }
}

/** Returns the comments of a text, one per line. */
function commentsOf(text: string): string {
  const comments: string[] = [];
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (token.startsWith('#') && !isScalar) comments.push(token.trimEnd());
    // The parser marks scalars with a control character before them.
    isScalar = token === scalarMark;
  }
  return comments.join('\n');
}

function textDifference(needs: readonly string[]): FlowDifference {
  const part: DifferencePart = { what: 'text-changed' };
  return { key: keyOf(part), parts: [part], needs, line: 1, text: describeDifference([part]) };
}

type TextSideName = keyof FlowTexts;

/** Finds the lines of parts. */
class PartLines {
  readonly #sides: Readonly<Record<TextSideName, TextSide>>;

  constructor(before: TextSide, after: TextSide) {
    this.#sides = { before, after };
  }

  /** Returns the line of a part in the second text, or in the first one if it was removed. */
  of(part: DifferencePart | undefined): number {
    if (part === undefined) return 1;
    const side = this.#sides[isIn(part, 'after') ? 'after' : 'before'];
    return side.places.keyRange(pathIn(side, part)).line;
  }

  /** Returns all lines of a part in one of the texts; undefined if it has none there. */
  span(part: DifferencePart, name: TextSideName): LineSpan | undefined {
    if (part.what === 'text-changed' || !isIn(part, name)) return undefined;
    const side = this.#sides[name];
    const path = pathIn(side, part);
    const { line: first } = side.places.keyRange(path);
    const { line, endLine, endColumn } = side.places.valueRange(path);
    return { first, last: Math.max(first, endColumn === 1 && endLine > line ? endLine - 1 : endLine) };
  }
}

function isIn(part: DifferencePart, side: TextSideName): boolean {
  if (part.what === 'node-added' || part.what === 'edge-added') return side === 'after';
  if (part.what === 'node-removed' || part.what === 'edge-removed') return side === 'before';
  return side === 'after'
    ? !('after' in part) || part.after !== undefined
    : !('before' in part) || part.before !== undefined;
}

function pathIn({ list, nodes, edges, triggers }: TextSide, part: DifferencePart): readonly (string | number)[] {
  const path = 'path' in part ? part.path : [];
  if ('id' in part) return [list, nodes.get(part.id) ?? 0, ...(part.what === 'node-renamed' ? ['id'] : path)];
  if ('name' in part) return ['edges', edges.get(part.name) ?? 0];
  const [key, name, id, ...rest] = path;
  if (key === 'flow' && name === 'triggers' && id !== undefined)
    return ['flow', 'triggers', triggers.get(String(id)) ?? 0, ...rest];
  return part.what === 'edges-moved' ? ['edges'] : path;
}

interface TextSide {
  readonly places: YamlPlaces;
  readonly list: 'nodes' | 'steps';
  /** Indexes by name in the second text. */
  readonly nodes: ReadonlyMap<string, number>;
  readonly edges: ReadonlyMap<string, number>;
  readonly triggers: ReadonlyMap<string, number>;
}

/** @param named the value of the file with the names of the second text */
function sideOf(file: MapText, named: JsonMap): TextSide {
  const { source: text, root, aliasTargets } = file;
  const list = 'steps' in named ? 'steps' : 'nodes';
  const indexes = (names: Iterable<string>): ReadonlyMap<string, number> =>
    new Map([...names].map((name, at) => [name, at]));
  return {
    places: new YamlPlaces({ text, root, aliasTargets }),
    list,
    nodes: indexes(namedNodes(named[list])?.keys() ?? []),
    edges: indexes(namedEdges(named['edges'])?.keys() ?? []),
    triggers: indexes(namedTriggers(valueAt(named, ['flow', 'triggers']))?.keys() ?? []),
  };
}
