/** The very first start, as a person meets it: an example workspace, in a window that anybody can read. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, openFlow } from './window.ts';

test('copies the examples to a folder of the user, opens them, and runs the first one', async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  await expectRun(page, 'completed');
  expect(await readdir(path.join(program.folders.scratch, 'examples', 'out'))).toEqual(['release-notes.md']);
});

test('shows the text of the flow beside the canvas', async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Release');
  await expect(card(page, 'Headline')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no serious accessibility problem in the ${colorScheme} theme`, async ({ program }) => {
    const { page } = await program.start();
    await page.emulateMedia({ colorScheme });
    await openFlow(page, 'health-check');
    await card(page, 'Web log').click();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  });
}
