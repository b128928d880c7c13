import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { conclude, failWhenEmpty, failWhenUnexplained, settle, total } from './part-result.mjs';
import { root } from './paths.mjs';
import { countPlaywright, countVitest, failuresOfPlaywright, failuresOfVitest } from './test-reports.mjs';

test('a part that ran nothing has failed', () => {
  expect(failWhenEmpty({ passed: 0, failed: 0 })).toEqual({ passed: 0, failed: 1 });
  expect(failWhenEmpty({ passed: 3, failed: 0 })).toEqual({ passed: 3, failed: 0 });
});

test('a runner that ends with an error fails the part even if all counted tests passed', () => {
  expect(failWhenUnexplained({ passed: 3, failed: 0 }, 1)).toEqual({ passed: 3, failed: 1 });
  expect(failWhenUnexplained({ passed: 3, failed: 2 }, 1)).toEqual({ passed: 3, failed: 2 });
  expect(failWhenUnexplained({ passed: 3, failed: 0 }, 0)).toEqual({ passed: 3, failed: 0 });
});

test('a part with an error counts as one failure and shows the reason', async () => {
  const broken = await settle({ name: 'broken', run: () => Promise.reject(new Error('no such file')) });
  expect(broken).toMatchObject({ name: 'broken', passed: 0, failed: 1 });
  expect(broken.output).toContain('no such file');
});

test('the last line is the total of all parts', async () => {
  const fine = await settle({ name: 'fine', run: async () => ({ passed: 2, failed: 0, output: '' }) });
  expect(total([fine, { passed: 5, failed: 1 }])).toEqual({ passed: 7, failed: 1 });
});

test('a test file that does not load counts as a failure', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    testResults: [
      { name: 'a', status: 'passed', assertionResults: [{ fullName: 'fine', status: 'passed' }] },
      { name: 'b', status: 'failed', assertionResults: [{ fullName: 'wrong', status: 'failed' }] },
      { name: 'c', status: 'failed', assertionResults: [] },
    ],
  };
  expect(countVitest(report)).toEqual({ passed: 5, failed: 2 });
});

test('an end-to-end test that passes only on a retry counts as failed, and so does an aborted run', () => {
  const report = { stats: { expected: 7, unexpected: 1, flaky: 1 }, errors: [{}] };
  expect(countPlaywright(report)).toEqual({ passed: 7, failed: 3 });
});

test('the last lines list the failures and their reasons', async () => {
  const testResults = [
    {
      name: path.join(root, 'engine/a.test.ts'),
      status: 'failed',
      assertionResults: [
        { fullName: 'fine', status: 'passed' },
        {
          fullName: ' group wrong',
          status: 'failed',
          failureMessages: ['\u001b[31mexpected 1\u001b[39m\n  to be 2', 'x'],
        },
      ],
    },
    { name: path.join(root, 'engine/b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
  ];
  const failures = failuresOfVitest({ testResults });
  expect(failures).toEqual(['engine/a.test.ts: group wrong: expected 1 to be 2', 'engine/b.test.ts: no such module']);
  const specs = [
    { title: 'opens', file: 'a.spec.ts', tests: [{ status: 'unexpected', results: [{ error: { message: 'late' } }] }] },
    { title: 'ends', file: 'a.spec.ts', tests: [{ status: 'flaky', results: [{ error: { message: 'once' } }, {}] }] },
    { title: 'shows', file: 'a.spec.ts', tests: [{ status: 'expected', results: [{}] }] },
  ];
  expect(failuresOfPlaywright({ errors: [{ message: 'broke' }], suites: [{ suites: [{ specs }] }] })).toEqual([
    'outside of tests: broke',
    'e2e/a.spec.ts: opens: late',
    'e2e/a.spec.ts: ends: once',
  ]);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const code = conclude([
    { name: 'unit', passed: 1, failed: 2, failures },
    { name: 'types', passed: 0, failed: 1 },
    { name: 'fine', passed: 1, failed: 0 },
  ]);
  const lines = log.mock.calls.flat();
  log.mockRestore();
  expect(code).toBe(1);
  expect(lines).toEqual([
    'Failed: unit, engine/a.test.ts: group wrong: expected 1 to be 2',
    'Failed: unit, engine/b.test.ts: no such module',
    'Failed: types',
    '2 passed, 3 failed',
  ]);
});
