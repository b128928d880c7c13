import { expect, test } from 'vitest';
import { failWhenEmpty, failWhenUnexplained, settle, total } from './part-result.mjs';
import { countPlaywright, countVitest } from './test-reports.mjs';

test('a part that ran nothing has failed', () => {
  expect(failWhenEmpty({ passed: 0, failed: 0 })).toEqual({ passed: 0, failed: 1 });
  expect(failWhenEmpty({ passed: 3, failed: 0 })).toEqual({ passed: 3, failed: 0 });
});

test('a runner that ends with an error fails the part also when all tests that it counted passed', () => {
  expect(failWhenUnexplained({ passed: 3, failed: 0 }, 1)).toEqual({ passed: 3, failed: 1 });
  expect(failWhenUnexplained({ passed: 3, failed: 2 }, 1)).toEqual({ passed: 3, failed: 2 });
  expect(failWhenUnexplained({ passed: 3, failed: 0 }, 0)).toEqual({ passed: 3, failed: 0 });
});

test('a part that breaks counts as one failure and says why', async () => {
  const broken = await settle({ name: 'broken', run: () => Promise.reject(new Error('no such file')) });
  expect(broken).toMatchObject({ name: 'broken', passed: 0, failed: 1 });
  expect(broken.output).toContain('no such file');
});

test('the last line is the sum of all parts', async () => {
  const fine = await settle({ name: 'fine', run: async () => ({ passed: 2, failed: 0, output: '' }) });
  expect(total([fine, { passed: 5, failed: 1 }])).toEqual({ passed: 7, failed: 1 });
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
