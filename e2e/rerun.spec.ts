/** Running again from a node: the plan first, then only what must run. */
import { expect } from '@playwright/test';
import { chainFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runHeader } from './window.ts';

test('shows what would run again, and takes over the rest', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'chain.flow.yaml': chainFlow(4) });
  const { page } = await program.open(workspace);
  await openFlow(page, 'chain');
  await run(page);
  await expectRun(page, 'completed');

  await card(page, 'n2').click();
  await page.keyboard.press('Control+Shift+Enter');
  const plan = page.getByRole('dialog', { name: 'Run again from n2?' });
  await expect(plan).toContainText('2 nodes run again, 2 are reused.');
  const steps = plan.getByRole('list', { name: 'What would happen' }).getByRole('listitem');
  await expect(steps.nth(1)).toContainText('n1');
  await expect(steps.nth(1).getByRole('img', { name: 'reused' })).toBeVisible();
  await expect(steps.nth(2).getByRole('img', { name: 'runs again' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(plan).toHaveCount(0);
  await expect(card(page, 'n1')).toHaveAccessibleName(/completed/);

  await inspector(page)
    .getByRole('button', { name: /Run again from here/ })
    .click();
  await expect(plan.getByRole('button', { name: 'Run again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card(page, 'n1')).toHaveAccessibleName(/reused/);
  await expect(card(page, 'n3')).toHaveAccessibleName(/completed/);
  await expect(runHeader(page).getByRole('button', { name: /^rerun of / })).toBeVisible();
  await card(page, 'n0').click();
  await expect(inspector(page)).toContainText('It did not run again');
  await inspector(page)
    .getByRole('button', { name: /^the run of / })
    .click();
  await expect(card(page, 'n0')).toHaveAccessibleName(/completed/);
});
