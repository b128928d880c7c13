/**
 * Converts a change of a catalog to the smallest text edits, preserving comments and style.
 */
import { toErrorRecord } from '../../../base/engine-error.ts';
import type { FlowEdit } from '../../../language/edit/edit-flow.ts';
import { isFlatList, type ListHabits, mannerOfList } from '../../../language/edit/flow-manner.ts';
import { refused, textAt } from '../../../language/edit/raw-flow.ts';
import type { ItemPair } from '../../../language/edit/yaml/align-lists.ts';
import {
  findEdits,
  notPossible,
  readMapText,
  shiftedEdits,
  type WrittenForm,
} from '../../../language/edit/yaml/edit-text.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { ValuePath } from '../../../language/schema/schema-problems.ts';
import { shapeProblem } from '../parse-catalogue.ts';
import { type CatalogueChange, catalogueChangeLabel } from './catalogue-change.ts';
import { changeCatalogue } from './change-catalogue.ts';

/** Returns the edits for a change; empty if it changes nothing. Never throws. */
export function editCatalogue(text: string, change: CatalogueChange): FlowEdit {
  try {
    return {
      ok: true,
      edits: shiftedEdits(text, (source) => editsFor(source, change)),
      label: catalogueChangeLabel(change),
    };
  } catch (thrown) {
    return { ok: false, error: toErrorRecord(thrown) };
  }
}

const notAMap =
  'The file is not a catalog: a catalog is a map with the keys intents and flows. Fix it in the text first.';

function editsFor(source: string, change: CatalogueChange): ReturnType<typeof shiftedEdits> {
  const file = readMapText(source, notAMap);
  const root = changeCatalogue(file.value, change);
  if (root === file.value) return [];
  const problem = shapeProblem(root);
  // A valid catalog must stay valid, because otherwise the form could no longer edit it.
  if (problem !== undefined && shapeProblem(file.value) === undefined) throw refused(problem);
  const edits = findEdits(file, root, formOf(change));
  if (edits === undefined) throw notPossible(file, root);
  return edits;
}

function formOf(change: CatalogueChange): WrittenForm {
  return {
    mannerOf: (text, mayKeepLines) => mannerOfList(text, 'flows', mayKeepLines, prefersInline),
    renamed: renamedKeys(change),
    mayBecome: (list, pair) => mayBecome(list, pair, change),
    respell: () => undefined,
    isWhole: (path, isWholeWay) => isWholeWay && path.length === 2,
  };
}

function renamedKeys(change: CatalogueChange): ReadonlyMap<string, string> {
  if (change.do === 'rename-slot') return new Map([[change.to, change.slot]]);
  if (change.do === 'rename-slot-type') return new Map([[change.to, change.slotType]]);
  return new Map(change.do === 'rename-intent' ? [[change.to, change.intent]] : []);
}

/** Returns whether a list item may become another. Flows are matched by name. */
function mayBecome(list: ValuePath, { before, after }: ItemPair, change: CatalogueChange): boolean {
  if (list.length > 1) return typeof before === typeof after;
  const name = textAt(after, 'name');
  const oldName = change.do === 'rename-flow' && name === change.to ? change.flow : name;
  return textAt(before, 'name') === oldName;
}

/** Slots, policies and intents are written on one line each, as in the documentation. */
function prefersInline({ item, inItem }: ListHabits, path: ValuePath, value: JsonValue): boolean {
  const [section, , key] = path;
  if (path.length === 1) return false;
  if (section !== 'flows') return true;
  if (key === undefined) return item === 'inline';
  if (path.length > 3) return true;
  if (key === 'slots') return inItem.get('slots') === 'inline';
  return key !== 'output' || inItem.get('output') === 'inline' || isFlatList(value);
}

/** Creates a valid new flow. @param name must be unused */
export function newFlowType(name: string, intent: string): JsonMap {
  return {
    name,
    intent,
    description: 'What people mean by this intent.',
    policy: { builtin: intent === 'Plan' ? 'plan' : 'chat' },
  };
}
