/**
 * The rows of the tree of tests: test files, and below each its tests, or its problems if it is not valid.
 */
import type { ListedCaseFile } from '../../engine/isomorphic.ts';
import type { CaseState } from '../stores/cases/case-list.ts';
import {
  type CaseEntry,
  caseKey,
  entriesOf,
  hasNoRows,
  type KnownResults,
  stateOf,
  stateOfFile,
} from '../stores/cases/case-list.ts';
import { durationText } from '../ui/quantity-text.ts';
import type { TreeRow } from '../ui/tree-rows.ts';
import { text } from './text.ts';

export type CaseRow = TreeRow & { readonly state: CaseState; readonly name: string; readonly note: string } & (
    | { readonly kind: 'file'; readonly file: ListedCaseFile }
    | { readonly kind: 'case'; readonly entry: CaseEntry }
    | { readonly kind: 'problem'; readonly path: string; readonly line: number }
  );

const withoutSuffix = (path: string): string => path.replace(/\.test\.ya?ml$/, '');
const withoutFolder = (path: string): string => withoutSuffix(path.split('/').at(-1) ?? path);

/** Returns the function that names test files: without suffix, and with their folders only if others have the same name. */
function namesOf(files: readonly ListedCaseFile[]): (path: string) => string {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(withoutFolder(path), (counts.get(withoutFolder(path)) ?? 0) + 1);
  return (path) => ((counts.get(withoutFolder(path)) ?? 0) > 1 ? withoutSuffix(path) : withoutFolder(path));
}

/** Returns all visible rows, from top to bottom. */
export function caseRows(
  files: readonly ListedCaseFile[],
  known: KnownResults,
  folded: ReadonlySet<string>,
): readonly CaseRow[] {
  const nameOf = namesOf(files);
  return files.flatMap((file, index): readonly CaseRow[] => {
    const entries = entriesOf(file);
    const state = stateOfFile(file, known);
    const isExpanded = !folded.has(file.path);
    const { passed } = stateOf(file, known);
    const isValid = file.problems.length === 0;
    const name = nameOf(file.path);
    const head: CaseRow = {
      ...{ kind: 'file', id: file.path, file, state, name, level: 1, isExpanded },
      note: isValid ? text.panel.share({ passed, total: file.cases.length }) : text.panel.invalid,
      label: text.panel.rowLabel({ name, state: isValid ? text.panel.states[state] : text.panel.invalid }),
      position: index + 1,
      size: files.length,
    };
    if (!isExpanded) return [head];
    return [
      head,
      ...(isValid ? entries.map((entry, at) => rowOf(entry, known, [at, entries.length])) : problemRows(file)),
    ];
  });
}

function rowOf(entry: CaseEntry, known: KnownResults, [at, size]: readonly [number, number]): CaseRow {
  const { state, passed } = stateOf(entry, known);
  const total = entry.cases.length;
  const isDataset = entry.dataset !== undefined;
  const count = hasNoRows(entry) ? 0 : total;
  const name = isDataset ? text.panel.rows({ name: entry.name.split('/').at(-1) ?? '', count }) : entry.name;
  const [only] = entry.cases;
  const result = only === undefined ? undefined : known.results.get(caseKey(only));
  const time = result === undefined ? '' : durationText(result.durationMs);
  const hasRun = entry.cases.some((one) => known.results.has(caseKey(one)));
  return {
    ...{ kind: 'case', id: entry.key, entry, state, name, level: 2, isExpanded: null },
    note: isDataset ? (hasRun ? text.panel.share({ passed, total }) : '') : time,
    label: text.panel.rowLabel({ name, state: text.panel.states[state] }),
    position: at + 1,
    size,
  };
}

function problemRows({ path, problems }: ListedCaseFile): readonly CaseRow[] {
  return problems.map((problem, index) => {
    const [, place = '1:1', message = problem] = /^(\d+:\d+) (.*)$/s.exec(problem) ?? [];
    return {
      ...{ kind: 'problem', id: `${path}\0problem ${index}`, path, state: 'failed', level: 2, isExpanded: null },
      ...{ line: Number(place.split(':')[0]), name: message, note: place },
      label: text.panel.problemAt({ place, message }),
      position: index + 1,
      size: problems.length,
    };
  });
}
