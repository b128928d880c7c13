/** Files and folders that are not as they should be: the window says what, where and how to mend it, and loses nothing. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, run, showProblems } from './window.ts';

const cycle = `flow: { name: Cycle }
nodes:
  - { id: a, type: echo, input: { text: x } }
  - { id: b, type: no.such, input: {} }
edges:
  - { from: a, to: b }
  - { from: b, to: a }
`;

test('lists every problem with its place, draws what can be drawn, and refuses the run', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'cycle.flow.yaml': cycle });
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'cycle');
  await expect(card(page, 'b')).toHaveAccessibleName(/invalid/);
  await page.keyboard.press('Control+Enter');
  const problems = await showProblems(page);
  await expect(problems).toContainText('edge.cycle');
  await expect(problems).toContainText('node.unknown-type');
  await expect(problems).toContainText('6:');
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toHaveCount(0);
});

for (const [what, content, code] of [
  ['text that is not YAML', 'flow: [1,\n', 'yaml.syntax'],
  ['an empty file', '', 'yaml.empty'],
  ['a binary file', Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 200]), 'file.not-text'],
  ['a file of 20 MB', `# ${'x'.repeat(20 * 1024 * 1024)}\n`, 'file.too-large'],
  ['brackets nested 100,000 deep', `flow: ${'['.repeat(100_000)}`, 'yaml.too-deep'],
] as const) {
  test(`survives ${what} and says what is wrong with it`, async ({ program }) => {
    const workspace = await program.makeWorkspace({ 'bad.flow.yaml': content, 'good.flow.yaml': echoFlow('fine') });
    const { page } = await program.start(['--workspace', workspace]);
    await openFlow(page, 'bad');
    await expect(await showProblems(page)).toContainText(code);
    await openFlow(page, 'good');
    await run(page);
    await expectRun(page, 'completed');
    const kept = await readFile(path.join(workspace, 'bad.flow.yaml'));
    expect(kept.equals(Buffer.from(content))).toBe(true);
  });
}

test('keeps showing a file that was deleted while open, says so, and takes it up when it is back', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('here') });
  const file = path.join(workspace, 'echo.flow.yaml');
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  await rm(file);
  await expect(page.getByRole('main')).toContainText(/deleted|no longer/i);
  await expect(card(page, 'say')).toBeVisible();
  await writeFile(file, echoFlow('back again'));
  await expect(card(page, 'say')).toContainText('back again');
});

test('says that a workspace named on the command line is missing', async ({ program }) => {
  const { page } = await program.start(['--workspace', path.join(program.folders.scratch, 'nowhere')]);
  await expect(page.locator('body')).toContainText('nowhere');
  await expect(page.getByRole('button', { name: /open.*folder/i }).first()).toBeVisible();
});
