import { expect, test } from 'vitest';
import type { CaseResult, ListedCaseFile } from '../../../engine/isomorphic.ts';
import { checkText } from '../text/check.ts';
import { loadingFile, type OpenFile } from '../text/file.ts';
import { affectedCases, testedFiles } from './affected-cases.ts';
import { caseKey, countCases, nextFailure, nodeChecks, stateOfFile } from './case-list.ts';

const flow = `flow: { name: A }
nodes:
  - { id: one, type: echo, input: { text: hi } }
  - { id: two, type: echo, input: { text: hi } }
edges: []
`;

function opened(text: string, isDirty = false): ReadonlyMap<string, OpenFile> {
  const path = 'a.flow.yaml';
  const file: OpenFile = { ...loadingFile(path, 'flow'), ...checkText(text), status: 'ready', isDirty };
  return new Map([[path, file]]);
}

const cases = ['first', 'second'].map((name, entry) => ({
  file: 'a.test.yaml',
  name,
  entry,
  line: entry + 2,
  hash: name,
}));
const rows = [0, 1].map((row) => ({
  file: 'a.test.yaml',
  name: `r${row}`,
  entry: 2,
  row,
  line: 4,
  hash: '',
  dataset: 'm.csv',
}));
const lists: readonly ListedCaseFile[] = [{ path: 'a.test.yaml', target: 'a.flow.yaml', cases, problems: [] }];

function results(...covered: readonly (readonly string[])[]): ReadonlyMap<string, CaseResult> {
  return new Map(
    cases.map((one, index) => {
      const use = { replayed: 0, recorded: 0, tokens: 0 };
      const own = {
        ...one,
        target: 'a.flow.yaml',
        isOk: index === 0,
        durationMs: 1,
        use,
        covered: covered[index] ?? [],
      };
      return [
        caseKey(one),
        { ...own, checks: [{ isOk: index === 0, kind: 'outputs', nodeId: 'each[0].two', label: '' }] },
      ];
    }),
  );
}

const before = { number: 1, texts: testedFiles(opened(flow)) };
const runs = new Map(cases.map((one) => [caseKey(one), { ...before, hash: one.hash }]));
const namesIn = (files: ReadonlyMap<string, OpenFile>, touched: ReadonlyMap<string, number> = new Map()) =>
  affectedCases(lists, results(['one'], ['one', 'two']), { files, runs, touched }).map(({ name }) => name);

test('an edited node affects the cases that cover it', () => {
  expect(namesIn(opened(flow))).toEqual([]);
  const edited = flow.replace('id: two, type: echo, input: { text: hi }', 'id: two, type: echo, input: { text: ho }');
  expect(namesIn(opened(edited, true))).toEqual(['second']);
  expect(namesIn(opened(flow.replace('name: A', 'name: B')))).toEqual([]);
});

test('a new edge or an invalid text may affect all cases of the flow', () => {
  expect(namesIn(opened(flow.replace('edges: []', 'edges: [{ from: one, to: two }]')))).toEqual(['first', 'second']);
  expect(namesIn(opened('nodes: ['))).toEqual(['first', 'second']);
});

test('a file that changed on disk after its tests ran affects them, unless it is open with the same text', () => {
  expect(namesIn(new Map(), new Map([['a.flow.yaml', 2]]))).toEqual(['first', 'second']);
  expect(namesIn(new Map(), new Map([['a.flow.yaml', 0]]))).toEqual([]);
  expect(namesIn(opened(flow), new Map([['a.flow.yaml', 2]]))).toEqual([]);
});

test('a changed test file affects only the cases with a changed entry', () => {
  const now = { files: opened(flow), runs, touched: new Map([['a.test.yaml', 2]]) };
  const known = results(['one'], ['one', 'two']);
  expect(affectedCases(lists, known, now)).toEqual([]);
  const [first, second] = cases;
  const edited = [{ ...lists[0]!, cases: [{ ...first!, hash: 'new' }, second!] }];
  expect(affectedCases(edited, known, now).map(({ name }) => name)).toEqual(['first']);
});

test('another file that a case used affects it, on disk or with unsaved edits', () => {
  const known = new Map(results(['one'], ['two']));
  const key = caseKey(cases[1]!);
  known.set(key, { ...known.get(key)!, files: ['lib/a.lua', 'b.flow.yaml'] });
  const names = (files: ReadonlyMap<string, OpenFile>, ...touched: readonly string[]) =>
    affectedCases(lists, known, { files, runs, touched: new Map(touched.map((path) => [path, 2])) }).map(
      ({ name }) => name,
    );
  expect(names(opened(flow), 'lib/other.lua')).toEqual([]);
  expect(names(opened(flow), 'lib/a.lua')).toEqual(['second']);
  const called = new Map([...opened(flow), ['b.flow.yaml', opened(flow, true).get('a.flow.yaml')!]]);
  expect(names(called)).toEqual(['second']);
});

test('each row of a dataset counts as a test, and an invalid file as one that fails', () => {
  const all = [
    { ...lists[0]!, cases: [...cases, ...rows] },
    { path: 'b.test.yaml', target: '', cases: [], problems: ['1:1 bad'] },
  ];
  const known = { results: results(), waiting: new Set<string>() };
  expect(countCases(all, known)).toEqual({ total: 3 + rows.length, passed: 1, failed: 2 });
  expect(all.map((file) => stateOfFile(file, known))).toEqual(['failed', 'failed']);
  expect(nextFailure(all, known, undefined)?.name).toBe('second');
  expect(nextFailure(all, known, caseKey(cases[1]!))?.name).toBe('second');
});

test('a node shows its failed checks, and how many cases cover it', () => {
  const known = results(['one'], ['one', 'each.two']);
  const second = known.get(caseKey(cases[1]!))!;
  expect(nodeChecks(second, known, 'two')).toEqual({ failed: 1, total: 1, problem: null, covered: 1 });
  expect(nodeChecks(second, known, 'one')).toEqual({ failed: 0, total: 0, problem: null, covered: 2 });
});
