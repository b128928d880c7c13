import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../base/text-edit.ts';
import { caseFileJsonSchema } from './case-doc.ts';
import { isCaseFile } from './case-names.ts';
import { type CaseChange, editCases } from './edit-cases.ts';
import { parseCases } from './parse-cases.ts';

const problemsOf = (text: string): readonly string[] =>
  parseCases(text).diagnostics.map(({ range, message }) => `${range.line}:${range.column} ${message}`);

describe('test files', () => {
  test('their names', () => {
    expect(['a.test.yaml', 'x/b.test.yml', 'test.yaml', 'a.test.json'].map(isCaseFile)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([
    ['', '1:1 The file is empty. A test file needs the keys target and cases.'],
    ['- a', '1:1 A test file must be a map with the keys target and cases.'],
    ['target: a.flow.yaml', '1:1 `cases` is missing.'],
    ['target: a.flow.yaml\ncases: []', '2:8 `cases` must have at least one case.'],
    [
      'target: a\ncases:\n  - { name: x, expct: {} }',
      '3:23 `expct` in case 1 ("x") is not allowed here. Did you mean "expect"?',
    ],
    [
      'target: a\ncases:\n  - name: x\n    expect: { outputs: { a.b: { has: 1 } } }',
      '`expect.outputs.a.b` in case 1 ("x") has no condition "has". To compare with a map, write { equals: { … } }.',
    ],
    [
      'target: a\ncases:\n  - name: x\n    expect: { outputs: { a.b: { matches: "(?=x)" } } }',
      'is not a supported regular expression',
    ],
    [
      'target: a\ncases:\n  - name: x\n    expect: { outputs: { a.b: { schema: { type: wrong } } } }',
      'is not a valid JSON Schema',
    ],
    [
      'target: a\ncases:\n  - name: x\n    expect: { outputs: { a.b: { ignoreCase: true } } }',
      '`expect.outputs.a.b.ignoreCase` in case 1 ("x") needs a condition beside it, such as equals or contains.',
    ],
    [
      'target: a\ncases:\n  - name: x\n    answers: [{ node: a }]',
      'needs a decision, approve or reject, or the values of the form',
    ],
    ['target: a\ncases:\n  - name: x\n    expect: { judge: { model: m } }', 'needs either a prompt or a flow'],
    ['target: a\ncases:\n  - { name: x, input: {}, inputFile: a.json }', 'has both input and inputFile'],
    ['target: a\ncases:\n  - name: x\n  - name: x', '4:11 Another case has the name "x". Give each case its own name.'],
    ['target: a\ncases: [', '2:'],
    ['target: a\ncases: [{ name: x, expect: { maxUsd: 0 } }]', '`expect.maxUsd` in case 1 ("x") must be more than 0.'],
    [
      'target: a\ncases: [{ name: x, expect: { outputs: { a.b: {} } } }]',
      '`expect.outputs.a.b` in case 1 ("x") is an empty map. Write a value, or a condition such as { exists: true }.',
    ],
    [
      'target: a\ncases: [{ name: x, expect: { outputs: { a.b: { maxWords: "3" } } } }]',
      '`expect.outputs.a.b.maxWords` in case 1 ("x") must be a number, not "3".',
    ],
  ])('%j is refused with its place', (text, problem) => {
    const problems = problemsOf(text);
    expect(problems.join('\n')).toContain(problem);
    const { doc, invalid } = parseCases(text);
    expect(doc === null || invalid.size > 0).toBe(true);
  });

  test('an invalid case does not affect the others', () => {
    const text =
      'target: a\ncases:\n- { name: one }\n- { name: two, expct: {} }\n- { name: one }\n- { name: four, expect: { ran: [b] } }\n';
    const { doc, invalid, diagnostics } = parseCases(text);
    expect([...invalid]).toEqual([1, 2]);
    expect(doc?.cases.map((one) => one.name)).toEqual(['one', 'case 2', 'one', 'four']);
    expect(diagnostics.map(({ range }) => range.line)).toEqual([4, 5]);
  });

  test('a single dataset stands for a list, and keys for other programs are ignored', () => {
    const { doc, diagnostics, rangeOf } = parseCases(
      'x-ci: 1\ntarget: a.flow.yaml\ncases: { from: rows.csv, map: { mail: text } }\n',
    );
    expect(diagnostics).toEqual([]);
    expect(doc?.cases).toEqual([{ from: 'rows.csv', map: { mail: 'text' } }]);
    expect(rangeOf(['cases', 0, 'from'])).toMatchObject({ line: 3, column: 16 });
  });

  test('one odd case names itself, and all problems are reported at once', () => {
    const text = 'target: a\ncases:\n  - name: good\n  - name: 7\n  - nam: x\n';
    expect(problemsOf(text).length).toBeGreaterThanOrEqual(2);
  });

  test('the JSON Schema describes all keys', () => {
    const schema = JSON.stringify(caseFileJsonSchema());
    for (const key of [
      'target',
      'cassette',
      'budget',
      'inputFile',
      'pins',
      'answers',
      'expect',
      'from',
      'turns',
      'judge',
      'closeTo',
    ])
      expect(schema).toContain(`"${key}"`);
  });
});

const edited = (text: string, ...changes: readonly CaseChange[]): string => applyEdits(text, editCases(text, changes));

describe('edits', () => {
  const text = `# Tests
target: a.flow.yaml
cases:
  - name: one # first
    expect:
      outputs: { a.text: old, b.text: { contains: x } } # both

  - name: two
    expect: { status: failed }
`;

  test('a value is replaced in place', () => {
    const changed = edited(text, { do: 'set', path: ['cases', 0, 'expect', 'outputs', 'a.text'], value: 'new: text' });
    expect(changed).toBe(text.replace('old', '"new: text"'));
  });

  test('several values are replaced together, also in other cases', () => {
    const changed = edited(
      text,
      { do: 'set', path: ['cases', 0, 'expect', 'outputs', 'b.text', 'contains'], value: 'y' },
      { do: 'set', path: ['cases', 1, 'expect', 'status'], value: 'completed' },
    );
    expect(changed).toBe(text.replace('contains: x', 'contains: y').replace('failed', 'completed'));
  });

  test('a case is added at the end', () => {
    const changed = edited(text, {
      do: 'add-case',
      value: { name: 'three', input: { q: 'x' }, expect: { ran: ['a'] } },
    });
    expect(changed.startsWith(text.trimEnd())).toBe(true);
    expect(parseCases(changed).doc?.cases[2]).toEqual({ name: 'three', input: { q: 'x' }, expect: { ran: ['a'] } });
  });

  test('a case that is no longer there is refused, and so is text that is not valid YAML', () => {
    expect(() => edited(text, { do: 'set', path: ['cases', 9, 'name'], value: 'x' })).toThrow('no longer in the file');
    expect(() => edited('cases: [', { do: 'add-case', value: { name: 'x' } })).toThrow('not valid YAML');
  });
});
