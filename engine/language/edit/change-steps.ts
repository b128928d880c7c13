/**
 * Applies a requested change to the content of a file with steps. The change refers to the flow that the steps
 * represent. Changes that steps cannot express are rejected with an alternative.
 */
import type { NodeDoc } from '../flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { stepIdOf, stepsOf } from '../steps/step-findings.ts';
import { stepTypes } from '../steps/step-flow-doc.ts';
import type { Respell } from './extract/read-paths.ts';
import type { ChangePath, FlowChange } from './flow-change.ts';
import { inOrder, refused, stepKeys, textAt, withKey, withValueAt } from './raw-flow.ts';
import type { NodeRename } from './rename-node.ts';
import { checkNewStepId, renameInTemplates, templateRenamingEdits } from './rename-step.ts';

interface ChangedSteps {
  readonly root: JsonMap;
  readonly renaming?: NodeRename;
  /** The resulting changes inside text. */
  readonly respell?: Respell;
}

type StepsChangeOf<Do extends FlowChange['do']> = Extract<FlowChange, { do: Do }>;

/** @throws EngineError `edit.refused` if the change is not possible or steps cannot express it */
export function changeSteps(root: JsonMap, change: Exclude<FlowChange, { do: 'all' | 'rename-input' }>): ChangedSteps {
  switch (change.do) {
    case 'add':
      return { root: addSteps(root, change) };
    case 'remove':
      return { root: removeSteps(root, change) };
    case 'reorder':
      return { root: reorderSteps(root, change) };
    case 'rename':
      return renameStep(root, { from: change.id, to: change.to });
    case 'set-node':
      return setStep(root, change);
    case 'set-flow':
      return { root: setHeader(root, change.path, change.value) };
    case 'format':
      throw refused('Formatting cannot be combined with other changes. Format the file separately.');
    case 'extract':
      throw cannotHave('calls of other flows');
    case 'move':
    case 'set-layout':
      throw cannotHave('positions, notes or groups');
    default:
      throw cannotHave(change.do === 'set-trigger' ? 'triggers' : 'edges');
  }
}

function cannotHave(what: string, nodeId?: string): Error {
  return refused(
    `A step flow cannot have ${what}: its steps run one after another, in the order of the list. Convert it to FlowSpec for that.`,
    nodeId,
  );
}

/** A step with its ID, which is explicit or derived from its index or name. */
interface StepEntry {
  readonly step: JsonValue;
  readonly id: string | undefined;
}

function entriesOf(root: JsonMap): readonly StepEntry[] {
  if (!isJsonList(root['steps'] ?? [])) throw refused('"steps" is not a list. Fix it in the text first.');
  return stepsOf(root).map((step, index) => ({ step, id: isJsonMap(step) ? stepIdOf(step, index) : undefined }));
}

/**
 * Every step keeps its ID: an ID derived from an index or a name is written explicitly if a different one would be
 * derived now.
 */
function withEntries(root: JsonMap, entries: readonly StepEntry[]): JsonMap {
  const before = stepsOf(root);
  const steps = entries.map(({ step, id }, index) => {
    const isKept = !isJsonMap(step) || id === undefined || stepIdOf(step, index) === id;
    return isKept ? step : withKey(step, { key: 'id', value: id }, stepKeys);
  });
  const isSame = steps.length === before.length && steps.every((step, index) => step === before[index]);
  return isSame ? root : withKey(root, { key: 'steps', value: steps });
}

/** If several steps have the same ID, the first one is used. The others are errors in the file. */
function indexOf(entries: readonly StepEntry[], id: string): number {
  const index = entries.findIndex((entry) => entry.id === id);
  if (index === -1) throw refused(`No step has the id "${id}".`, id);
  return index;
}

/** Returns the index of the first step with an ID. @throws EngineError `edit.refused` if there is none */
export function stepIndex(root: JsonMap, id: string): number {
  return indexOf(entriesOf(root), id);
}

function addSteps(root: JsonMap, change: StepsChangeOf<'add'>): JsonMap {
  const { nodes, edges = [], positions = {}, after, notes = {}, groups = {} } = change;
  if ([positions, notes, groups].some((part) => Object.keys(part).length > 0))
    throw cannotHave('positions, notes or groups');
  if (change.loopId !== undefined) throw cannotHave('loops');
  const entries = entriesOf(root);
  const taken = new Set(entries.flatMap(({ id }) => id ?? []));
  const added = nodes.map((node): StepEntry => {
    checkNewStepId(node.id, taken);
    taken.add(node.id);
    return { step: stepOfNode(node), id: node.id };
  });
  const place = after === undefined ? entries.length : indexOf(entries, after) + 1;
  const all = entries.toSpliced(place, 0, ...added);
  for (const { from, to, when } of edges) {
    const isImplied = when === undefined && all.some(({ id }, index) => id === from && all[index + 1]?.id === to);
    if (!isImplied) throw cannotHave('edges');
  }
  return withEntries(root, all);
}

/** Step keys that belong to the config of the step's node. */
const settingKeys: readonly string[] = ['agent', 'tool', 'backend', 'title', 'message', 'form'];

function stepOfNode({ id, type, name, input, config = {}, policy, ...others }: NodeDoc): JsonMap {
  checkType(type);
  for (const key of Object.keys(others)) throw cannotHaveKey(key, id);
  for (const key of Object.keys(config)) if (!settingKeys.includes(key)) throw noSetting(key, id);
  const step = {
    id,
    type,
    name,
    ...config,
    params: Object.keys(input).length === 0 ? undefined : input,
    retry: policy === undefined ? undefined : retryOfPolicy({ ...policy } as JsonMap, id),
  };
  return inOrder(step, stepKeys);
}

function checkType(type: JsonValue | undefined): void {
  if (stepTypes.some((known) => known === type)) return;
  throw refused(
    `"${String(type)}" is not a step type. Use one of ${stepTypes.join(', ')}, or convert the flow to FlowSpec to use other nodes.`,
  );
}

const partNames: Readonly<Record<string, string>> = {
  when: 'conditions',
  disabled: 'disabled steps',
  description: 'a description per step',
  policy: 'a policy per step other than retry',
};

function cannotHaveKey(key: string, id: string): Error {
  return cannotHave(partNames[key] ?? `the key "${key}"`, id);
}

function noSetting(key: string, id: string): Error {
  return refused(`Steps have no setting "${key}". Use ${settingKeys.join(', ')} or params.`, id);
}

function removeSteps(root: JsonMap, { nodes, edges }: StepsChangeOf<'remove'>): JsonMap {
  if (edges.length > 0) throw cannotHave('edges');
  const gone = new Set(nodes);
  const seen = new Set<string>();
  const kept = entriesOf(root).filter(({ id }) => {
    const isGone = id !== undefined && gone.has(id) && !seen.has(id);
    if (isGone) seen.add(id);
    return !isGone;
  });
  return withEntries(root, kept);
}

function reorderSteps(root: JsonMap, { nodes, side, of }: StepsChangeOf<'reorder'>): JsonMap {
  const entries = entriesOf(root);
  if (nodes.includes(of)) throw refused(`"${of}" cannot be moved ${side} itself.`, of);
  const moving = new Set(nodes.map((id) => indexOf(entries, id)));
  const other = entries[indexOf(entries, of)];
  const rest = entries.filter((_, index) => !moving.has(index));
  const place = rest.indexOf(other as StepEntry) + (side === 'before' ? 0 : 1);
  return withEntries(root, rest.toSpliced(place, 0, ...entries.filter((_, index) => moving.has(index))));
}

function renameStep(root: JsonMap, renaming: NodeRename): ChangedSteps {
  const { from, to } = renaming;
  const entries = entriesOf(root);
  const index = indexOf(entries, from);
  if (from === to) return { root };
  const ids = entries.flatMap(({ id }) => id ?? []);
  checkNewStepId(to, new Set(ids));
  const renamed = entries.map((entry, place): StepEntry => {
    const { step } = entry;
    const id = place === index ? to : entry.id;
    if (!isJsonMap(step) || step['params'] === undefined) return { step, id };
    const value = renameInTemplates(step['params'], { ...renaming, ids });
    return { step: value === step['params'] ? step : withKey(step, { key: 'params', value }), id };
  });
  const respell: Respell = (before, after) => templateRenamingEdits(before, after, { ...renaming, ids });
  return { root: withEntries(root, renamed), renaming, respell };
}

function setStep(root: JsonMap, { id, path, value }: StepsChangeOf<'set-node'>): ChangedSteps {
  const [key] = path;
  if (path.length === 1 && key === 'id') return renameStep(root, { from: id, to: String(value ?? '') });
  const entries = entriesOf(root);
  const index = indexOf(entries, id);
  const changed = withValuesAt(root, ['steps', index], valuesInStep(path, value, { id, step: entries[index]?.step }));
  // A name from which the ID is derived may change; the ID stays the same.
  const steps = stepsOf(changed);
  return {
    root: withEntries(
      changed,
      entries.map((entry, at) => ({ step: steps[at] ?? null, id: entry.id })),
    ),
  };
}

type PlacedValue = readonly [path: ChangePath, value: JsonValue | undefined];

function withValuesAt(root: JsonMap, base: ChangePath, values: readonly PlacedValue[]): JsonMap {
  return values.reduce((current, [path, value]) => withValueAt(current, [...base, ...path], value), root);
}

/** Converts a path in a node and its new value to the paths in its step. */
function valuesInStep(
  path: ChangePath,
  value: JsonValue | undefined,
  { id, step }: { readonly id: string; readonly step: JsonValue | undefined },
): readonly PlacedValue[] {
  const [part, key, ...rest] = path;
  switch (part) {
    case 'name':
      return [[path, value]];
    case 'type':
      checkType(value);
      return [[path, value]];
    case 'input': {
      const isEmpty = key === undefined && isJsonMap(value ?? null) && Object.keys(value as JsonMap).length === 0;
      return [[['params', ...path.slice(1)], isEmpty ? undefined : value]];
    }
    case 'config': {
      if (key === undefined) return settingsOf(value, id);
      if (!settingKeys.includes(String(key))) throw noSetting(String(key), id);
      return [[[key, ...rest], value]];
    }
    case 'policy':
      return retryValues(path.slice(1), value, { id, step });
    case undefined:
      throw refused('Only single values can be set. Change it in the text instead.');
    default:
      throw cannotHaveKey(String(part), id);
  }
}

function settingsOf(value: JsonValue | undefined, id: string): readonly PlacedValue[] {
  const settings = isJsonMap(value ?? null) ? (value as JsonMap) : {};
  for (const key of Object.keys(settings)) if (!settingKeys.includes(key)) throw noSetting(key, id);
  return settingKeys.map((key) => [[key], settings[key]]);
}

/** Maps keys of a node's retry to those of a step. */
const retryKeys: Readonly<Record<string, string>> = { maxAttempts: 'max_attempts', backoffMs: 'backoff_seconds' };

/** Nodes use milliseconds for the delay, steps use seconds. */
function retryValue(key: string, value: JsonValue | undefined): JsonValue | undefined {
  return key === 'backoffMs' && typeof value === 'number' ? value / 1000 : value;
}

function retryValues(
  [part, key, ...rest]: ChangePath,
  value: JsonValue | undefined,
  { id, step }: { readonly id: string; readonly step: JsonValue | undefined },
): readonly PlacedValue[] {
  if (part === undefined) return [[['retry'], value === undefined ? undefined : retryOfPolicy(value, id)]];
  if (part !== 'retry') throw cannotHaveKey('policy', id);
  if (key === undefined) return [[['retry'], value === undefined ? undefined : retryOfPolicy({ retry: value }, id)]];
  const name = retryKeys[key] ?? String(key);
  // The codes have two key names, and the file uses one of them.
  const retry = isJsonMap(step ?? null) ? (step as JsonMap)['retry'] : undefined;
  const isAlias = name === 'retry_on_codes' && isJsonMap(retry) && retry['retry_on'] !== undefined;
  return [[['retry', isAlias ? 'retry_on' : name, ...rest], retryValue(String(key), value)]];
}

function retryOfPolicy(policy: JsonValue, id: string): JsonMap | undefined {
  const { retry, ...others } = isJsonMap(policy) ? policy : {};
  if (Object.keys(others).length > 0) throw cannotHaveKey('policy', id);
  if (!isJsonMap(retry)) return undefined;
  const entries = Object.entries(retry).map(([key, value]) => [retryKeys[key] ?? key, retryValue(key, value) ?? null]);
  return Object.fromEntries(entries) as JsonMap;
}

function setHeader(root: JsonMap, path: ChangePath, value: JsonValue | undefined): JsonMap {
  const [key, inner] = path;
  if (path.length === 1 && key === 'name') return setName(root, value);
  if (path.length === 1 && (key === 'description' || key === 'version')) return withValueAt(root, path, value);
  if (key === 'policy' && inner === 'autonomy' && path.length === 2)
    return withValueAt(root, ['autonomy_level'], value);
  throw refused(
    `A step flow cannot have "${path.join('.')}", only a name, a description, a version and an autonomy level. Convert it to FlowSpec for that.`,
  );
}

/** Sets the display name. The ID, by which the flow is called, stays the same. */
function setName(root: JsonMap, value: JsonValue | undefined): JsonMap {
  if (value === undefined) throw refused('"name" is required in a flow.');
  if (textAt(root['metadata'], 'display_name') !== undefined)
    return withValueAt(root, ['metadata', 'display_name'], value);
  const { id, name } = root;
  const named = withValueAt(root, ['name'], value);
  return id === undefined && name !== undefined && named !== root ? withValueAt(named, ['id'], name) : named;
}
