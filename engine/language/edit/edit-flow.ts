/**
 * Converts a flow change into minimal edits of the flow's text.
 */
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import { type ChangedFlow, changeFlow } from './change-flow.ts';
import { labelOf } from './change-label.ts';
import { extractNodes } from './extract/extract-nodes.ts';
import type { Extraction, FlowChange } from './flow-change.ts';
import { mannerOf } from './flow-manner.ts';
import { refused, textAt } from './raw-flow.ts';
import { type NodeRename, renamingEdits } from './rename-node.ts';
import type { ItemPair } from './yaml/align-lists.ts';
import {
  byteOrderMark,
  findEdits,
  type MapText,
  notPossible,
  readMapText,
  shiftedEdits,
  type WrittenForm,
} from './yaml/edit-text.ts';
import { formatEdits } from './yaml/format-flow.ts';

/**
 * The edits with a label for the undo menu, or the error that prevents them, in which case the text stays unchanged.
 */
export type FlowEdit =
  | { readonly ok: true; readonly edits: readonly TextEdit[]; readonly label: string }
  | { readonly ok: false; readonly error: ErrorRecord };

/**
 * Returns the edits for a change: sorted by `start`, not overlapping, with positions in `text`; empty if nothing
 * changes. Never throws: an impossible change results in the error `edit.refused`.
 */
export function editFlow(text: string, change: FlowChange): FlowEdit {
  try {
    const edits = editsFor(text, change);
    return { ok: true, edits, label: labelOf(change) };
  } catch (thrown) {
    return { ok: false, error: toErrorRecord(thrown) };
  }
}

const notAMap =
  'The file is not a flow: a flow is a map with the keys flow, nodes and edges. Fix it in the text first.';

function editsFor(text: string, change: FlowChange): readonly TextEdit[] {
  return shiftedEdits(text, (source) => {
    const file = readMapText(source, notAMap);
    const edits = change.do === 'format' ? formatEdits(file, change) : valueEdits(file, change);
    if (change.do === 'extract' && change.text !== undefined && change.text !== extractedText(text, change)) {
      throw refused('The flow changed during the extraction. Extract the nodes again.');
    }
    return edits;
  });
}

/** Reads the text of a flow without its byte order mark. @throws EngineError `edit.refused` if it is not a flow */
export function flowTextOf(text: string): MapText {
  return readMapText(text.startsWith(byteOrderMark) ? text.slice(1) : text, notAMap);
}

function valueEdits(file: MapText, change: FlowChange): readonly TextEdit[] {
  return editsToRoot(file, changeFlow(file.value, change));
}

/** Returns the edits after which a flow has a new value. @throws EngineError `edit.refused` if there are none */
export function editsToRoot(file: MapText, changed: ChangedFlow): readonly TextEdit[] {
  if (changed.root === file.value) return [];
  const edits = findEdits(file, changed.root, formOf(changed));
  if (edits === undefined) throw notPossible(file, changed.root);
  return edits;
}

/**
 * Returns the text of the flow to which nodes are extracted: the file's text without everything else, with a new
 * header.
 * @throws EngineError `edit.refused` if the nodes cannot be extracted, or the text cannot be parsed
 */
export function extractedText(text: string, extraction: Extraction): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const file = readMapText(text.slice(mark.length), notAMap);
  const { flow, respell } = extractNodes(file.value, extraction);
  const edits = findEdits(file, flow, formOf({ root: flow, renamings: [], respell, isNewHeader: true }));
  if (edits === undefined) throw notPossible(file, flow);
  return mark + withoutHead(applyEdits(file.source, edits));
}

/** Comments above a flow describe the entire flow, so only editor directives are copied. */
function withoutHead(text: string): string {
  const [head = ''] = /^(?:[ \t]*(?:#.*)?\r?\n)*/.exec(text) ?? [];
  const kept = head.split(/(?<=\n)/).filter((line) => /^#\s*yaml-language-server:/.test(line));
  return kept.join('') + text.slice(head.length);
}

type WantedFlow = ChangedFlow & {
  /** Whether `flow` is rewritten without its comments. */
  readonly isNewHeader?: boolean;
};

function formOf({ renamings, renamedKeys = [], respell, isNewHeader = false }: WantedFlow): WrittenForm {
  const renamed = formerNames(renamings);
  const oldName = (id: string | undefined): string | undefined => (id === undefined ? id : (renamed.get(id) ?? id));
  return {
    mannerOf,
    renamed: formerNames([...renamings, ...renamedKeys]),
    mayBecome: (list, pair) => mayBecome(list, pair, oldName),
    respell: (before, after) =>
      respell?.(before, after) ?? firstDefined(renamings, (renaming) => renamingEdits(before, after, renaming)),
    isWhole: (path, isWholeWay) =>
      (isNewHeader && path.length === 1 && path[0] === 'flow') ||
      (isWholeWay && path.length === (path[0] === 'layout' ? 3 : 2)),
  };
}

/** New names mapped to old names. */
function formerNames(renamings: readonly NodeRename[]): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const { from, to } of renamings) renamed.set(to, renamed.get(from) ?? from);
  return renamed;
}

/** Nodes are matched by ID, steps without an ID by type, and edges by name and one of their ends. */
function mayBecome(
  list: ValuePath,
  { before, after, isAlone }: ItemPair,
  oldName: (id: string | undefined) => string | undefined,
): boolean {
  const isTriggers = list.length === 2 && list[0] === 'flow' && list[1] === 'triggers';
  if (isTriggers) return isAlone || textAt(before, 'id') === textAt(after, 'id');
  if (list.length > 1) return kindOf(before) === kindOf(after);
  const hasSame = (key: string): boolean => textAt(before, key) === oldName(textAt(after, key));
  if (list[0] === 'nodes') return hasSame('id');
  if (list[0] === 'steps') return textAt(before, 'id') === undefined ? hasSame('type') : hasSame('id');
  return textAt(before, 'id') === textAt(after, 'id') && (isAlone || hasSame('from') || hasSame('to'));
}

function kindOf(value: JsonValue): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

function firstDefined<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const result = find(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
