/** Tests autonomy levels in the window: lowered for a run, shown on its cards, and reviewed afterwards. */
import { expect } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runCommand, runHeader } from './window.ts';

const flow = `flow: { name: Notes, input: { text: hello } }
nodes:
  - { id: first, type: file.write, input: { path: first.md, text: "{{flow.input.text}}" }, name: Write the first note }
  - { id: second, type: file.write, input: { path: second.md, text: more }, name: Write the second note }
  - { id: done, type: echo, input: { text: done } }
edges: [{ from: first, to: second }, { from: second, to: done }]
`;

test('starting a run with suggestions only shows on its cards what it would have done', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace({ 'notes.flow.yaml': flow }));
  await openFlow(page, 'notes');
  await runCommand(page, 'Run with inputs');
  const dialog = page.getByRole('dialog', { name: 'Run Notes' });
  await dialog.getByRole('combobox', { name: 'Autonomy' }).click();
  await page.getByRole('option', { name: /^Suggest only/ }).click();
  await expectNoSeriousProblem(page, 'dialog of a run with its level of autonomy');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expectRun(page, 'completed');
  await expect(card(page, 'Write the first note')).toHaveAccessibleName(/held back/);
  await card(page, 'Write the first note').click();
  await expect(inspector(page)).toContainText('It has an effect, and the run only suggests effects.');
  await expect(inspector(page)).toContainText('first.md');
});

test('what-if mode draws the pauses of another level over a run and steps through them', { tag: '@thorough' }, async ({
  program,
}) => {
  const { page } = await program.open(await program.makeWorkspace({ 'notes.flow.yaml': flow }));
  await openFlow(page, 'notes');
  await run(page);
  await expectRun(page, 'completed');
  await runHeader(page).getByRole('button', { name: 'What if' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Semi-auto' }).click();
  const bar = page.getByRole('region', { name: 'What if' });
  await expect(bar).toContainText('it would have paused 2 times. It ran without a level.');
  await expect(card(page, 'Write the first note')).toHaveAccessibleDescription(/would pause/);
  await expect(card(page, 'done')).not.toHaveAccessibleDescription(/would pause/);
  await bar.getByRole('button', { name: 'Next' }).click();
  await expect(bar).toContainText('Write the first note pauses');
  await bar.getByRole('button', { name: 'Next' }).click();
  await expect(bar).toContainText('2 of 2');
  await expect(card(page, 'Write the second note')).toHaveAttribute('aria-pressed', 'true');
  await expectNoSeriousProblem(page, 'another level drawn over a run');
  await bar.getByRole('button', { name: 'Close' }).click();
  await expect(bar).toHaveCount(0);
});
