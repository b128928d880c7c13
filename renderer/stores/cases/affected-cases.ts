/**
 * Finds the tests that an edit may affect: those with a changed entry, those that used another changed file, and those of
 * a changed flow, unless the case has run and covers none of the changed nodes.
 */
import {
  type CaseResult,
  type FlowDoc,
  type JsonValue,
  jsonEquals,
  type ListedCase,
  type ListedCaseFile,
} from '../../../engine/isomorphic.ts';
import type { OpenFile } from '../text/file.ts';
import { caseKey, ownNodeId } from './case-list.ts';

/** A file as it was when a test last ran. */
export interface TestedFile {
  readonly text: string;
  /** For a valid flow. */
  readonly doc: FlowDoc | null;
}

/** The last run of a case. */
export interface LastRun {
  /** Later runs and changes have higher numbers. */
  readonly number: number;
  /** The files that were open, by path. */
  readonly texts: ReadonlyMap<string, TestedFile>;
  /** See `ListedCase`. */
  readonly hash: string | undefined;
}

/** What tests last ran with, and what is on screen now. */
export interface FilesSinceRuns {
  readonly files: ReadonlyMap<string, OpenFile>;
  /** By key of a case. */
  readonly runs: ReadonlyMap<string, LastRun>;
  /** By path: the number of the last change on disk. */
  readonly touched: ReadonlyMap<string, number>;
}

/** IDs of changed nodes; `all` if the change may affect any of them. */
type NodeChanges = ReadonlySet<string> | 'all' | null;

/** Returns the open files as tests use them. */
export function testedFiles(files: ReadonlyMap<string, OpenFile>): ReadonlyMap<string, TestedFile> {
  const ready = [...files].filter(([, { status }]) => status === 'ready');
  return new Map(
    ready.map(([path, { text, doc, isCheckStale, isDocStale }]) => [
      path,
      { text, doc: isCheckStale || isDocStale ? null : doc },
    ]),
  );
}

/** Returns the cases to which edits since their last run matter. Before a case has run, those are unsaved edits. */
export function affectedCases(
  lists: readonly ListedCaseFile[],
  results: ReadonlyMap<string, CaseResult>,
  changed: FilesSinceRuns,
): readonly ListedCase[] {
  return lists.flatMap(({ path, target, cases }) =>
    cases.filter((one) => {
      const key = caseKey(one);
      const [last, result] = [changed.runs.get(key), results.get(key)];
      if (last === undefined ? changeOf(path, last, changed) !== null : last.hash !== one.hash) return true;
      if (result?.files?.some((used) => changeOf(used, last, changed) !== null) === true) return true;
      const change = changeOf(target, last, changed);
      return change === 'all' || (change !== null && isTouched(result, change));
    }),
  );
}

function isTouched(result: CaseResult | undefined, change: ReadonlySet<string>): boolean {
  if (result === undefined || result.covered.length === 0) return true;
  return result.covered.some((name) => change.has(ownNodeId(name) ?? name.split('/')[0] ?? ''));
}

function changeOf(path: string, last: LastRun | undefined, { files, touched }: FilesSinceRuns): NodeChanges {
  const file = files.get(path);
  const before = last?.texts.get(path);
  const isTouched = (touched.get(path) ?? -1) > (last?.number ?? -1);
  if (file?.status !== 'ready') return isTouched ? 'all' : null;
  if (before === undefined) return file.isDirty || isTouched ? 'all' : null;
  if (file.text === before.text) return null;
  if (file.kind !== 'flow' || file.doc === null || before.doc === null) return 'all';
  return file.isDocStale ? 'all' : changedNodes(before.doc, file.doc);
}

/** Many cases compare the same two documents. */
const known = new WeakMap<FlowDoc, { readonly now: FlowDoc; readonly change: NodeChanges }>();

function changedNodes(before: FlowDoc, now: FlowDoc): NodeChanges {
  const cached = known.get(before);
  if (cached?.now === now) return cached.change;
  const change = compareNodes(before, now);
  known.set(before, { now, change });
  return change;
}

/** Returns the nodes that a rerun would not reuse. Names, notes and positions do not matter. */
function compareNodes(before: FlowDoc, now: FlowDoc): NodeChanges {
  if (!jsonEquals(frameOf(before), frameOf(now))) return 'all';
  const former = new Map(before.nodes.map((node) => [node.id, node]));
  const changed = now.nodes.filter((node) => {
    const other = former.get(node.id);
    return other === undefined || !jsonEquals(meaningOf(other), meaningOf(node));
  });
  return changed.length === 0 ? null : new Set(changed.map(({ id }) => id));
}

/** What may change which nodes run. */
function frameOf({ flow, nodes, edges }: FlowDoc): JsonValue {
  return plain({
    input: flow.input,
    inputs: flow.inputs,
    policy: flow.policy,
    nodes: nodes.map(({ id, when, disabled }) => ({ id, when, disabled })).sort((a, b) => a.id.localeCompare(b.id)),
    edges: edges.map(({ from, to, when }) => ({ from, to, when })),
  });
}

function meaningOf({ type, input, config, policy }: FlowDoc['nodes'][number]): JsonValue {
  return plain({ type, input, config, policy });
}

function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
