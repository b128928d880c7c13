import { expect, test } from 'vitest';
import { failWhenEmpty, runParts, total } from './part-result.mjs';
import { countPlaywright, countVitest } from './test-reports.mjs';

test('a part that ran nothing has failed', () => {
  expect(failWhenEmpty({ passed: 0, failed: 0 })).toEqual({ passed: 0, failed: 1 });
  expect(failWhenEmpty({ passed: 3, failed: 0 })).toEqual({ passed: 3, failed: 0 });
});

test('a part that breaks counts as one failure, and the others run all the same', async () => {
  const results = await runParts(
    [
      { name: 'broken', run: () => Promise.reject(new Error('no such file')) },
      { name: 'fine', run: async () => ({ passed: 2, failed: 0, output: '' }) },
    ],
    1,
  );
  expect(results.map(({ name, passed, failed }) => `${name} ${passed}/${failed}`)).toEqual(['broken 0/1', 'fine 2/0']);
  expect(total(results)).toEqual({ passed: 2, failed: 1 });
});

test('a test file that does not load counts as a failure', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    testResults: [
      { status: 'passed', assertionResults: [{}] },
      { status: 'failed', assertionResults: [{}] },
      { status: 'failed', assertionResults: [] },
    ],
  };
  expect(countVitest(report)).toEqual({ passed: 5, failed: 2 });
});

test('an end-to-end test that passes only when repeated has failed, and so has the run when it broke', () => {
  const report = { stats: { expected: 7, unexpected: 1, flaky: 1 }, errors: [{}] };
  expect(countPlaywright(report)).toEqual({ passed: 7, failed: 3 });
});
