/**
 * Compares two texts of a flow part by part.
 */
import { Lexer } from 'yaml';
import { applyEdits, type TextEdit } from '../../../base/text-edit.ts';
import { looksLikeStepFlow } from '../../flow/other-format.ts';
import type { JsonMap } from '../../json/json-value.ts';
import { YamlPlaces } from '../../yaml/yaml-places.ts';
import { editsToRoot, flowTextOf } from '../edit-flow.ts';
import { refused } from '../raw-flow.ts';
import type { NodeRename } from '../rename-node.ts';
import { type MapText, shiftedEdits } from '../yaml/edit-text.ts';
import { describeDifference } from './describe-difference.ts';
import { followRenames, renamedOrNothing } from './find-renames.ts';
import { type DifferencePart, type FlowDifference, keyOf } from './flow-difference.ts';
import { groupParts } from './group-parts.ts';
import { type Choose, mergeFlow, namedEdges, namedNodes } from './merge-flow.ts';

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
    const lines = new PartLines(this.#before, this.#after);
    const found = groups.map((group) => ({
      ...group,
      line: lines.of(group.parts[0]),
      text: describeDifference(group.parts),
    }));
    const isRestChanged = !this.#isSecondText(root, found.length > 0);
    const rest = isRestChanged ? [textDifference(found.map(({ key }) => key))] : [];
    return [...found.sort((a, b) => a.line - b.line), ...rest];
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

/** Finds the lines of parts. */
class PartLines {
  readonly #sides: Readonly<Record<'before' | 'after', TextSide>>;

  constructor(before: MapText, after: MapText) {
    this.#sides = { before: sideOf(before), after: sideOf(after) };
  }

  of(part: DifferencePart | undefined): number {
    if (part === undefined) return 1;
    const isGone = 'after' in part && part.after === undefined;
    const isRemoved = part.what === 'node-removed' || part.what === 'edge-removed';
    const { places, list, nodes, edges } = this.#sides[isGone || isRemoved ? 'before' : 'after'];
    const path = 'path' in part ? part.path : [];
    if ('id' in part) return places.keyRange([list, nodes.get(part.id) ?? 0, ...path]).line;
    if ('name' in part) return places.keyRange(['edges', edges.get(part.name) ?? 0]).line;
    return places.keyRange(part.what === 'edges-moved' ? ['edges'] : path).line;
  }
}

interface TextSide {
  readonly places: YamlPlaces;
  readonly list: 'nodes' | 'steps';
  /** Indexes by name. */
  readonly nodes: ReadonlyMap<string, number>;
  readonly edges: ReadonlyMap<string, number>;
}

function sideOf(file: MapText): TextSide {
  const { source: text, root, aliasTargets, value } = file;
  const list = 'steps' in value ? 'steps' : 'nodes';
  const indexes = (names: Iterable<string>): ReadonlyMap<string, number> =>
    new Map([...names].map((name, at) => [name, at]));
  return {
    places: new YamlPlaces({ text, root, aliasTargets }),
    list,
    nodes: indexes(namedNodes(value[list])?.keys() ?? []),
    edges: indexes(namedEdges(value['edges'])?.keys() ?? []),
  };
}
