/**
 * Applies a requested change to a flow file's content.
 */
import { assertNever } from '../../base/assert-never.ts';
import { looksLikeStepFlow } from '../flow/other-format.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../json/json-value.ts';
import { addNodes, connect, remove, reorder, setEdge, splice } from './change-graph.ts';
import { moveNodes, setLayout } from './change-layout.ts';
import { changeSteps, stepIndex } from './change-steps.ts';
import { extractNodes } from './extract/extract-nodes.ts';
import type { Respell } from './extract/read-paths.ts';
import type { FlowChange } from './flow-change.ts';
import { nodeIndex, refused, textAt, withValueAt } from './raw-flow.ts';
import { inputRenamingEdits, renameInput } from './rename-input.ts';
import { type NodeRename, renameNode } from './rename-node.ts';
import { followRoute } from './rename-route.ts';

export interface ChangedFlow {
  /** Shares all unchanged parts with the original. */
  readonly root: JsonMap;
  /** New node IDs, in the order in which they were assigned. */
  readonly renamings: readonly NodeRename[];
  /** Renamed map keys. */
  readonly renamedKeys?: readonly NodeRename[];
  /** Additional changes inside text. */
  readonly respell?: Respell;
}

/** @throws EngineError `edit.refused` if the change is not possible */
export function changeFlow(root: JsonMap, change: FlowChange): ChangedFlow {
  if (change.do === 'all') {
    return change.changes.reduce<ChangedFlow>(
      (done, part) => {
        const next = changeFlow(done.root, part);
        const respell = next.respell ?? done.respell;
        const renamings = [...done.renamings, ...next.renamings];
        const renamedKeys = [...(done.renamedKeys ?? []), ...(next.renamedKeys ?? [])];
        return { root: next.root, renamings, renamedKeys, ...(respell === undefined ? {} : { respell }) };
      },
      { root, renamings: [] },
    );
  }
  if (change.do === 'rename-input') {
    const { name: from, to } = change;
    return {
      root: renameInput(root, { from, to }),
      ...{ renamings: [], renamedKeys: [{ from, to }] },
      respell: (before, after) => inputRenamingEdits(before, after, { from, to }),
    };
  }
  if (looksLikeStepFlow(root)) {
    const { renaming, ...changed } = changeSteps(root, change);
    return { ...changed, renamings: renaming === undefined ? [] : [renaming] };
  }
  const renaming = renamingOf(change);
  if (renaming !== undefined) return { root: renameNode(root, renaming), renamings: [renaming] };
  if (change.do === 'extract') {
    const { root: calling, respell } = extractNodes(root, change);
    return { root: calling, renamings: [], respell };
  }
  return { root: changeOnce(root, change), renamings: [] };
}

/**
 * Returns the index of a node, or of the step it represents, in its list in the file. @throws EngineError
 * `edit.refused` if there is none
 */
export function nodePlace(root: JsonMap, id: string): { readonly list: 'nodes' | 'steps'; readonly index: number } {
  return looksLikeStepFlow(root)
    ? { list: 'steps', index: stepIndex(root, id) }
    : { list: 'nodes', index: nodeIndex(root, id) };
}

function renamingOf(change: FlowChange): NodeRename | undefined {
  if (change.do === 'rename') return { from: change.id, to: change.to };
  const isId = change.do === 'set-node' && change.path.length === 1 && change.path[0] === 'id';
  return isId ? { from: change.id, to: String(change.value ?? '') } : undefined;
}

function changeOnce(root: JsonMap, change: Exclude<FlowChange, { do: 'all' | 'extract' | 'rename-input' }>): JsonMap {
  switch (change.do) {
    case 'add':
      return addNodes(root, change);
    case 'remove':
      return remove(root, change);
    case 'rename':
      return renameNode(root, { from: change.id, to: change.to });
    case 'reorder':
      return reorder(root, change);
    case 'set-node':
      return setNode(root, change);
    case 'set-flow':
      return setFlow(root, change);
    case 'set-trigger':
      return setTrigger(root, change);
    case 'connect':
      return connect(root, change.edges);
    case 'set-edge':
      return setEdge(root, change.edge, change.change);
    case 'splice':
      return splice(root, change);
    case 'move':
      return moveNodes(root, change.positions);
    case 'set-layout':
      requirePath(change.path);
      return setLayout(root, change.path, change.value);
    case 'format':
      throw refused('Formatting cannot be combined with other changes. Format the file separately.');
    default:
      return assertNever(change);
  }
}

function setNode(root: JsonMap, { id, path, value }: Extract<FlowChange, { do: 'set-node' }>): JsonMap {
  const index = nodeIndex(root, id);
  requirePath(path);
  const [key] = path;
  if (path.length === 1 && value === undefined && (key === 'type' || key === 'id')) {
    throw refused(`"${key}" is required in a node.`, id);
  }
  const isInput = path.length === 1 && key === 'input';
  const changed = withValueAt(root, ['nodes', index, ...path], isInput ? (value ?? {}) : value);
  return key === 'input' ? followRoute(root, changed, id) : changed;
}

function setFlow(root: JsonMap, { path, value }: Extract<FlowChange, { do: 'set-flow' }>): JsonMap {
  requirePath(path);
  if (path.length === 1 && path[0] === 'name' && value === undefined) throw refused('"name" is required in a flow.');
  if (root['flow'] !== undefined && root['flow'] !== null && !isJsonMap(root['flow'])) {
    throw refused('"flow" is not a map. Fix it in the text first.');
  }
  return withValueAt(root, ['flow', ...path], value);
}

function setTrigger(root: JsonMap, { id, path, value }: Extract<FlowChange, { do: 'set-trigger' }>): JsonMap {
  const flow = root['flow'];
  const list = (isJsonMap(flow) ? flow['triggers'] : undefined) ?? [];
  if (!isJsonList(list)) throw refused('"flow.triggers" is not a list. Fix it in the text first.');
  const found = list.findIndex((trigger) => textAt(trigger, 'id') === id);
  if (found === -1 && (path.length > 0 || value === undefined)) throw refused(`No trigger has the id "${id}".`);
  if (path.length === 1 && path[0] === 'id' && value !== id && list.some((trigger) => textAt(trigger, 'id') === value))
    throw refused(`Another trigger already has the id "${value}". Choose another id.`);
  const isLast = path.length === 0 && value === undefined && list.length === 1;
  if (isLast) return setFlow(root, { do: 'set-flow', path: ['triggers'], value: undefined });
  if (list.length === 0) return setFlow(root, { do: 'set-flow', path: ['triggers'], value: [value ?? null] });
  return setFlow(root, { do: 'set-flow', path: ['triggers', found === -1 ? list.length : found, ...path], value });
}

function requirePath(path: readonly unknown[]): void {
  if (path.length === 0) throw refused('Only single values can be set. Change it in the text instead.');
}
