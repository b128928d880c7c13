/** Tests how a test run reports the tests that it has skipped. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { controlText } from './deb.mjs';
import { isTrialInstallation } from './deb-trial.mjs';
import { leftOutOfPlaywright, leftOutOfVitest, leftOutText, thoroughTestsIn } from './left-out.mjs';
import { conclude } from './part-result.mjs';

const source = `
test.skipIf(process.platform === 'win32')('holds a file', () => {});
test.runIf(
  hasTools(1, (2)),
)("gives 'it'", () => {});
describe.skipIf(isRoot)('a group', () => {
  test('inside', () => {});
  test.skipIf(other)('separate', () => {});
});
test.skipIf(odd).each([1])('case %s of \${many}', () => {});
test.todo('later');
`;

test.each([
  ['holds a file', [], "skipped if process.platform === 'win32'"],
  ["gives 'it'", [], 'runs only if hasTools(1, (2))'],
  ['inside', ['a group'], 'skipped if isRoot'],
  ['separate', ['a group'], 'skipped if other'],
  ['case 7 of them', [], 'skipped if odd'],
  ['later', [], 'marked with todo in the file'],
  ['unknown', [], 'the test skipped itself'],
])('a skipped unit test is listed with its condition: %s', async (title, ancestorTitles, why) => {
  const fullName = [...ancestorTitles, title].join(' ');
  const results = [
    { title, fullName, ancestorTitles, status: 'skipped' },
    { title: 'ran', fullName: 'ran', ancestorTitles: [], status: 'passed' },
  ];
  const report = { testResults: [{ name: `${process.cwd()}/engine/a.test.ts`, assertionResults: results }] };
  expect(await leftOutOfVitest(report, async () => source)).toEqual([{ what: `engine/a.test.ts: ${fullName}`, why }]);
});

test('a skipped end-to-end test is listed with its reason', () => {
  const spec = (title: string, status: string, annotations: { type: string; description?: string }[] = []) => ({
    ...{ title, file: 'a.spec.ts' },
    tests: [{ status, annotations }],
  });
  const given = spec('one', 'skipped', [{ type: 'skip', description: 'Packages cannot be installed here.' }]);
  const report = {
    suites: [{ specs: [given, spec('ran', 'expected')], suites: [{ specs: [spec('inner', 'skipped')] }] }],
  };
  expect(leftOutOfPlaywright(report)).toEqual([
    { what: 'e2e/a.spec.ts: inner', why: 'an earlier test of its group failed' },
    { what: 'e2e/a.spec.ts: one', why: 'Packages cannot be installed here.' },
  ]);
});

test('thorough end-to-end tests are found individually in their source', async () => {
  const text = `test('a', { tag: '@thorough' }, async () => {});\ntest("it's b", {\n  tag: '@thorough',\n}, f);\ntest('c', f);`;
  expect(thoroughTestsIn('e2e/x.spec.ts', text, 'why').map(({ what }) => what)).toEqual([
    'e2e/x.spec.ts: a',
    "e2e/x.spec.ts: it's b",
  ]);
  const { stdout } = await promisify(execFile)('grep', ['-rho', "tag: '@thorough'", 'e2e']);
  const files = execFileSync('ls', ['e2e'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.endsWith('.spec.ts'));
  const texts = await Promise.all(
    files.map(async (name) => thoroughTestsIn(name, execFileSync('cat', [`e2e/${name}`], { encoding: 'utf8' }), '')),
  );
  expect(texts.flat()).toHaveLength(stdout.trim().split('\n').length);
});

test('all skipped tests are listed above the last line, which is unchanged', () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void lines.push(`${text}\n`));
  try {
    const part = { name: 'unit', passed: 3, failed: 0, leftOut: [{ what: 'a test', why: 'It is for Windows.' }] };
    expect(
      conclude([part, { name: 'build', passed: 2, failed: 1 }], [{ what: 'a part', why: 'the part "build" failed' }]),
    ).toBe(1);
  } finally {
    write.mockRestore();
    log.mockRestore();
  }
  expect(lines.join('')).toBe(
    'Skipped: a part. Reason: the part "build" failed.\nSkipped: a test. Reason: It is for Windows.\nFailed: build\n5 passed, 1 failed\n',
  );
  expect(leftOutText([])).toBe('');
});

test('distinguishes a Debian package installed by tests from one installed by a user', () => {
  const fields = { description: 'D', arch: 'x64', kilobytes: 7 } as const;
  const status = (state: string, control: string) => `Package: millrace\nStatus: ${state}\n${control}`;
  const own = controlText({ ...fields, version: '2.0.0' });
  const ofTests = controlText({ ...fields, version: '2.0.0', isTrial: true });
  expect([own, ofTests].map((text) => isTrialInstallation(status('install ok installed', text)))).toEqual([
    false,
    true,
  ]);
  expect(isTrialInstallation(status('install reinstreq half-installed', ofTests))).toBe(true);
  expect(isTrialInstallation(controlText({ ...fields, version: '0.0.1' }))).toBe(true);
  expect(isTrialInstallation(controlText({ ...fields, version: '0.0.12' }))).toBe(false);
  expect(isTrialInstallation('')).toBe(false);
});
