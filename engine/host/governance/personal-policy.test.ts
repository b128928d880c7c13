import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parsePolicy } from '../../runtime/governance/parse-policy.ts';
import { createPersonalPolicy, personalStarter } from './policy-service.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'personal-policy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the initial text is a valid policy without restrictions', () => {
  expect(parsePolicy(personalStarter, 'personal')).toEqual(parsePolicy('', 'personal'));
});

const examples = personalStarter.split('\n').filter((line) => /^# \w+: [^A-Z\n]*$/.test(line) && !line.endsWith(':'));
test.each(examples)('the line "%s" is a valid rule without its comment sign', (line) => {
  const { policy, problems } = parsePolicy(line.slice(2), 'personal');
  expect([problems, policy === undefined]).toEqual([[], false]);
});

test('all examples together are a valid policy', () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
  expect(parsePolicy(examples.map((line) => line.slice(2)).join('\n'), 'personal').problems).toEqual([]);
});

test('creates a policy with its folder, and leaves an existing one unchanged', async () => {
  const path = join(folder, 'base', 'policy.yaml');
  expect(await createPersonalPolicy(path)).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe(personalStarter);
  writeFileSync(path, 'max_steps: 3\n');
  expect(await createPersonalPolicy(path)).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('max_steps: 3\n');
});

test.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a broken link', (path: string) => symlinkSync(join(folder, 'gone'), path)],
])('leaves %s in its place unchanged and reports it', async (_, put) => {
  const path = join(folder, 'policy.yaml');
  put(path);
  await expect(createPersonalPolicy(path)).rejects.toMatchObject({
    code: 'files.not-writable',
    message: expect.stringContaining(path),
  });
});

test('follows a link to a file', async () => {
  const path = join(folder, 'policy.yaml');
  writeFileSync(join(folder, 'mine.yaml'), 'max_steps: 3\n');
  symlinkSync(join(folder, 'mine.yaml'), path);
  expect(await createPersonalPolicy(path)).toBe(false);
});

test('a base folder that is a file results in an error with its path', async () => {
  writeFileSync(join(folder, 'base'), '');
  await expect(createPersonalPolicy(join(folder, 'base', 'policy.yaml'))).rejects.toMatchObject({
    code: 'files.not-writable',
  });
});
