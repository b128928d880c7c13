/**
 * The tests of a workspace as lists show them: a dataset is one entry, and each of its rows counts as a test.
 */
import type { CaseId, CaseResult, ListedCase, ListedCaseFile } from '../../../engine/isomorphic.ts';

/** The state of a test for views. `queued` and `running` while it runs, `idle` before it has run. */
export type CaseState = 'idle' | 'queued' | 'running' | 'completed' | 'failed';

/** A case, or a dataset with all of its rows. */
export interface CaseEntry {
  /** Unique in the workspace. */
  readonly key: string;
  readonly file: string;
  readonly target: string;
  readonly name: string;
  readonly line: number;
  /** One for a case, one for each row of a dataset. */
  readonly cases: readonly ListedCase[];
  /** The file with the rows, as the test file names it. */
  readonly dataset?: string;
}

/** Identifies a case in `Cases.results`. A case keeps it while others are added before it, because names are unique. */
export function caseKey({ file, name, entry, row }: CaseId): string {
  return row === undefined ? `${file}\0${name}` : `${file}\0${entry}\0${row}`;
}

/** Returns only the parts that identify a case. */
export function idOf({ file, name, entry, row }: CaseId): CaseId {
  return { file, name, entry, ...(row === undefined ? {} : { row }) };
}

/** A list is read as a whole, and its rows are grouped once for all views. */
const entryLists = new WeakMap<ListedCaseFile, readonly CaseEntry[]>();

/** Returns the tests of a file, with the rows of each dataset together. The entries of a file are always the same. */
export function entriesOf(file: ListedCaseFile): readonly CaseEntry[] {
  const known = entryLists.get(file) ?? groupCases(file);
  entryLists.set(file, known);
  return known;
}

function groupCases({ path, target, cases }: ListedCaseFile): readonly CaseEntry[] {
  const groups = new Map<number, { readonly entry: CaseEntry; readonly rows: ListedCase[] }>();
  for (const one of cases) {
    const group = groups.get(one.entry);
    if (group !== undefined) {
      group.rows.push(one);
      continue;
    }
    const rows = [one];
    const entry = {
      ...{ file: path, target, line: one.line, cases: rows, name: one.dataset ?? one.name },
      key: one.dataset === undefined ? caseKey(one) : `${path}\0${one.entry}`,
      ...(one.dataset === undefined ? {} : { dataset: one.dataset }),
    };
    groups.set(one.entry, { entry, rows });
  }
  return [...groups.values()].map(({ entry }) => entry);
}

/** Returns whether a dataset has no rows, or a file that cannot be read. It is then listed with one case, named as the file. */
export function hasNoRows({ cases, dataset }: Pick<CaseEntry, 'cases' | 'dataset'>): boolean {
  return dataset !== undefined && cases.length === 1 && cases[0]?.name === dataset;
}

/** What is known about the results of tests. */
export interface KnownResults {
  readonly results: ReadonlyMap<string, CaseResult>;
  /** Keys of cases that are going to run, in order. The first one runs. */
  readonly waiting: ReadonlySet<string>;
}

/** Returns the state of a test, and how many of its cases pass. */
export function stateOf(
  { cases }: Pick<CaseEntry, 'cases'>,
  { results, waiting }: KnownResults,
): { readonly state: CaseState; readonly passed: number } {
  const [running] = waiting;
  let [known, passed, isRunning, isQueued] = [0, 0, false, false];
  for (const one of cases) {
    const key = caseKey(one);
    const result = results.get(key);
    if (result !== undefined) known += 1;
    if (result?.isOk === true) passed += 1;
    isRunning ||= key === running;
    isQueued ||= waiting.has(key);
  }
  if (isRunning || isQueued) return { state: isRunning ? 'running' : 'queued', passed };
  if (known > passed) return { state: 'failed', passed };
  return { state: passed === cases.length ? 'completed' : 'idle', passed };
}

/** How many tests there are, and their results. */
export interface CaseCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
}

/** Counts tests as the command line does: each row of a dataset. A file that is not valid counts as one that fails. */
export function countCases(files: readonly ListedCaseFile[], known: KnownResults): CaseCounts {
  const counts = { total: 0, passed: 0, failed: 0 };
  for (const file of files) {
    if (file.problems.length > 0) {
      counts.total += 1;
      counts.failed += 1;
    }
    counts.total += file.cases.length;
    for (const one of file.cases) {
      const key = caseKey(one);
      const result = known.waiting.has(key) ? undefined : known.results.get(key);
      if (result?.isOk === true) counts.passed += 1;
      if (result?.isOk === false) counts.failed += 1;
    }
  }
  return counts;
}

/** Returns the state of a file: that of its tests together. */
export function stateOfFile(file: ListedCaseFile, known: KnownResults): CaseState {
  if (file.problems.length > 0) return 'failed';
  const states = new Set(entriesOf(file).map((entry) => stateOf(entry, known).state));
  for (const state of ['running', 'queued', 'failed', 'idle'] as const) if (states.has(state)) return state;
  return 'completed';
}

/** Returns the id of a node in its own flow: `each[2].draft` is `draft`. Undefined for a node in another flow. */
export function ownNodeId(name: string): string | undefined {
  return name.includes('/')
    ? undefined
    : name
        .replace(/\[\d+\]/g, '')
        .split('.')
        .at(-1);
}

function coverageOf(results: Iterable<CaseResult>, flow: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { target, covered } of results) {
    if (target !== flow) continue;
    const ids = new Set(covered.flatMap((name) => ownNodeId(name) ?? []));
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Returns the failed case after another one, in the order of the list and from the start again. */
export function nextFailure(
  files: readonly ListedCaseFile[],
  { results }: Pick<KnownResults, 'results'>,
  current: string | undefined,
): ListedCase | undefined {
  const all = files.flatMap(({ cases }) => cases);
  const at = all.findIndex((one) => caseKey(one) === current);
  const turned = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return turned.find((one) => results.get(caseKey(one))?.isOk === false);
}

/** Results change as a whole, so that the coverage of a flow is computed once for all of its cards. */
const coverages = new WeakMap<KnownResults['results'], Map<string, ReadonlyMap<string, number>>>();

/** Returns by node ID how many cases cover the node. */
function coverageIn(results: KnownResults['results'], flow: string): ReadonlyMap<string, number> {
  const byFlow = coverages.get(results) ?? new Map<string, ReadonlyMap<string, number>>();
  coverages.set(results, byFlow);
  const known = byFlow.get(flow) ?? coverageOf(results.values(), flow);
  byFlow.set(flow, known);
  return known;
}

/** What an open test reports about a node. */
export interface NodeChecks {
  readonly failed: number;
  readonly total: number;
  /** The message of the first check that fails. Null if all hold. */
  readonly problem: string | null;
  /** How many cases of the flow cover the node. */
  readonly covered: number;
}

/** Returns what a case reports about a node of its flow. */
export function nodeChecks(
  { checks, target }: CaseResult,
  results: KnownResults['results'],
  nodeId: string,
): NodeChecks {
  const own = checks.filter((check) => check.nodeId !== undefined && ownNodeId(check.nodeId) === nodeId);
  const failed = own.filter(({ isOk }) => !isOk);
  const covered = coverageIn(results, target).get(nodeId) ?? 0;
  return { failed: failed.length, total: own.length, problem: failed[0]?.message ?? null, covered };
}
