/**
 * A change of a flow → the smallest edits of its text.
 */
import { EngineError, type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import { isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../json-value.ts';
import type { ValuePath } from '../schema-problems.ts';
import { TextPlaces } from '../yaml-places.ts';
import type { SourceProblem } from '../yaml-source.ts';
import type { ItemPair } from './align-lists.ts';
import { type ChangedFlow, changeFlow } from './change-flow.ts';
import { labelOf } from './change-label.ts';
import { extractNodes } from './extract/extract-nodes.ts';
import type { Extraction, FlowChange } from './flow-change.ts';
import { mannerOf } from './flow-manner.ts';
import { formatEdits } from './format-flow.ts';
import type { PatchHints } from './patch.ts';
import { refused, textAt } from './raw-flow.ts';
import { renamingEdits } from './rename-node.ts';
import { patchYaml } from './yaml-patch.ts';
import { hasValue, readYamlText, Unpatchable, type YamlText } from './yaml-text.ts';

/** The edits of the text with a name for the undo menu, or why there are none; then the text is to stay as it is. */
export type FlowEdit =
  | { readonly ok: true; readonly edits: readonly TextEdit[]; readonly label: string }
  | { readonly ok: false; readonly error: ErrorRecord };

/**
 * Finds the edits that carry out a change: by `start`, not overlapping, all at places of `text`; none when it changes
 * nothing. Never throws: what cannot be done is an error `edit.refused`.
 */
export function editFlow(text: string, change: FlowChange): FlowEdit {
  try {
    const edits = editsFor(text, change);
    return { ok: true, edits, label: labelOf(change) };
  } catch (thrown) {
    return { ok: false, error: toErrorRecord(thrown) };
  }
}

const byteOrderMark = '\uFEFF';

function editsFor(text: string, change: FlowChange): readonly TextEdit[] {
  const shift = text.startsWith(byteOrderMark) ? 1 : 0;
  const source = text.slice(shift);
  const file = readFlowText(source);
  const edits = change.do === 'format' ? formatEdits(file, change) : valueEdits(file, change);
  if (change.do === 'extract' && change.text !== undefined && change.text !== extractedText(text, change)) {
    throw refused('The flow was changed while its nodes were extracted. Extract them again.');
  }
  return shift === 0 ? edits : edits.map((edit) => ({ ...edit, start: edit.start + shift, end: edit.end + shift }));
}

function valueEdits(file: FlowText, change: FlowChange): readonly TextEdit[] {
  const changed = changeFlow(file.value, change);
  if (changed.root === file.value) return [];
  const edits = findEdits(file, changed);
  if (edits === undefined) throw notPossible(file, changed.root);
  return edits;
}

/**
 * The text of the flow that nodes become: that of the file without all else, with a header of its own.
 * @throws EngineError `edit.refused` when they cannot be taken, or the text cannot be read
 */
export function extractedText(text: string, extraction: Extraction): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const file = readFlowText(text.slice(mark.length));
  const { flow, respell } = extractNodes(file.value, extraction);
  const edits = findEdits(file, { root: flow, renamings: [], respell, isNewHeader: true });
  if (edits === undefined) throw notPossible(file, flow);
  return mark + withoutHead(applyEdits(file.source, edits));
}

/** What stands above a flow is about the whole of it; only what editors read there belongs to every file. */
function withoutHead(text: string): string {
  const [head = ''] = /^(?:[ \t]*(?:#.*)?\r?\n)*/.exec(text) ?? [];
  const kept = head.split(/(?<=\n)/).filter((line) => /^#\s*yaml-language-server:/.test(line));
  return kept.join('') + text.slice(head.length);
}

type FlowText = YamlText & { readonly value: JsonMap };

function readFlowText(source: string): FlowText {
  const file = readYamlText(source);
  if ('code' in file) throw unreadable(source, file);
  const { value } = file;
  if (!isJsonMap(value)) {
    throw refused(
      'The file holds no flow: a flow is a map with the keys flow, nodes and edges. Mend it in the text first.',
    );
  }
  return { ...file, value };
}

function unreadable(source: string, { message, start, end }: SourceProblem): EngineError {
  const { line, column } = new TextPlaces(source).range(start, end);
  return new EngineError({
    code: 'edit.refused',
    message: `The text is no valid YAML, so only typing can change it. Line ${line}, column ${column}: ${message}`,
    line,
  });
}

/** From the smallest way of changing the text to the widest: the first that gives the flow that is wanted. */
const ways = [
  { mayKeepLines: true, movesText: true, isWhole: false },
  { mayKeepLines: false, movesText: true, isWhole: false },
  { mayKeepLines: false, movesText: false, isWhole: false },
  { mayKeepLines: false, movesText: false, isWhole: true },
] as const;

type WantedFlow = ChangedFlow & {
  /** Whether `flow` is written anew, without its comments. */
  readonly isNewHeader?: boolean;
};

function findEdits(file: FlowText, wanted: WantedFlow): TextEdit[] | undefined {
  const { root } = wanted;
  for (const { mayKeepLines, movesText, isWhole } of ways) {
    const manner = mannerOf(file, mayKeepLines);
    const hints = { ...hintsFor(wanted, isWhole), movesText };
    const edits = patchOrNothing(() => patchYaml(file, root, { manner, hints }));
    if (edits !== undefined && gives(file.source, edits, root)) return edits;
  }
  return undefined;
}

function patchOrNothing(patch: () => TextEdit[]): TextEdit[] | undefined {
  try {
    return patch();
  } catch (thrown) {
    if (thrown instanceof Unpatchable) return undefined;
    throw thrown;
  }
}

function gives(source: string, edits: readonly TextEdit[], root: JsonMap): boolean {
  // Two ways of changing one place do not go together.
  if (edits.some(({ start }, index) => start < (edits[index - 1]?.end ?? 0))) return false;
  return hasValue(applyEdits(source, edits), root);
}

function hintsFor(
  { renamings, respell, isNewHeader = false }: WantedFlow,
  isWhole: boolean,
): Omit<PatchHints, 'movesText'> {
  const renamed = new Map<string, string>();
  for (const { from, to } of renamings) renamed.set(to, renamed.get(from) ?? from);
  const oldName = (id: string | undefined): string | undefined => (id === undefined ? id : (renamed.get(id) ?? id));
  return {
    renamed,
    mayBecome: (list, pair) => mayBecome(list, pair, oldName),
    respell: (before, after) =>
      respell?.(before, after) ?? firstDefined(renamings, (renaming) => renamingEdits(before, after, renaming)),
    isWhole: (path) =>
      (isNewHeader && path.length === 1 && path[0] === 'flow') ||
      (isWhole && path.length === (path[0] === 'layout' ? 3 : 2)),
  };
}

/** A node stays itself by its id, a step that has none by its type, an edge by its own name and one of its ends. */
function mayBecome(
  list: ValuePath,
  { before, after, isAlone }: ItemPair,
  oldName: (id: string | undefined) => string | undefined,
): boolean {
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

function notPossible({ value }: { readonly value: JsonMap }, root: JsonMap): EngineError {
  const sections = Object.keys({ ...value, ...root }).filter(
    (key) => !jsonEquals(value[key] ?? null, root[key] ?? null),
  );
  const where = sections.map((key) => `"${key}"`).join(' and ');
  return refused(`${where} is written in a way that this change cannot be fitted into. Make the change in the text.`);
}
