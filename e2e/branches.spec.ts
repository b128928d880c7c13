/** Tests branches that a run takes or skips, and the items of a loop. */
import { expect } from '@playwright/test';
import { loopFlow, switchFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runCommand } from './window.ts';

test('edges show whether they are taken, and a skipped node shows why', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'switch.flow.yaml': switchFlow });
  const { page } = await program.open(workspace);
  await openFlow(page, 'switch');
  const wayOf = (route: string) => page.locator('.branch-rows > div').filter({ hasText: route });
  await expect(wayOf('major')).not.toContainText('ends here');
  // Only a condition that no branch row shows is written on the edge.
  await expect(page.locator('.flow-edge-label')).toContainText(['size.text exists']);

  await run(page);
  await expectRun(page, 'completed');
  await expect(wayOf('major')).toHaveAttribute('data-taken', 'true');
  await expect(wayOf('default')).toHaveAttribute('data-taken', 'false');
  await expect(card(page, 'route')).toHaveAccessibleName(/completed, major/);
  await expect(page.locator('.react-flow__edge[data-id="route->ignore"] .flow-edge')).toHaveAttribute(
    'data-edge',
    'not-taken',
  );
  await card(page, 'ignore').click();
  await expect(inspector(page)).toContainText('None of its incoming edges was taken');
  const cause = inspector(page).getByRole('list', { name: 'Condition' });
  await expect(cause).toContainText('route.route is "default"');
  await expect(cause).toContainText('"major"');
});

test('a loop shows its progress, and each of its items can be inspected', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'loop.flow.yaml': loopFlow });
  const { page } = await program.open(workspace);
  await openFlow(page, 'loop');
  await expect(page.locator('.loop-frame')).toHaveCount(1);
  await run(page);
  await expect(card(page, 'each')).toHaveAccessibleName(/, [1-3] of 4/);
  await expectRun(page, 'completed');
  await expect(card(page, 'each')).toHaveAccessibleName(/4 items/);

  await card(page, 'check').click();
  const items = inspector(page).getByRole('region', { name: 'Item of each' });
  await expect(items).toContainText(/of 4 ran/);
  // The failed item is shown first. From other items, a button leads back to it.
  await expect(items).toContainText('Row 3 of 4');
  await items.getByRole('button', { name: 'Next item' }).click();
  await expect(items).toContainText('Row 4 of 4');
  await items.getByRole('button', { name: 'Next failed' }).click();
  await expect(items).toContainText('Row 3 of 4');
  await expect(inspector(page)).toContainText('bad row 2');
  await expect(card(page, 'check')).toHaveAccessibleName(/failed, tolerated.*row 3 of 4/);
  await items.getByRole('button', { name: 'Previous item' }).click();
  await expect(card(page, 'check')).toHaveAccessibleName(/skipped, row 2 of 4/);
  // The strip shows all items, names the one under the pointer, and is moved through by keyboard.
  await items.getByRole('radio', { name: 'Item 4: skipped' }).hover();
  await expect(items).toContainText(/Row 4 of 4\s*skipped/);
  await items.getByRole('radio', { name: 'Item 3: failed' }).click();
  await expect(card(page, 'check')).toHaveAccessibleName(/row 3 of 4/);
  await items.getByRole('radiogroup').focus();
  for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key);
  await expect(card(page, 'check')).toHaveAccessibleName(/row 2 of 4/);
  await expect(items.getByRole('radio', { checked: true })).toHaveAccessibleName(/^Item 2: /);
  // In the timeline, the reason for the skip is shown next to the card.
  await page.getByRole('button', { name: /^say, .* ran/ }).click();
  await expect(inspector(page)).toContainText('row 1');

  // A bar of the timeline names its items, to the pointer and to the keyboard.
  const bars = page.locator('.timeline-row').filter({ hasText: /^check/ });
  await bars.locator('.timeline-bar').first().hover();
  await expect(page.getByRole('tooltip')).toContainText(/^check, row 3 of 4: failed, from \d/);
  await page.mouse.move(5, 5);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await bars.focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('tooltip')).toContainText(/^say: 4 items, from \d.* Longest: row \d of 4, completed/);

  // The palette leads to the log, which is filtered.
  await runCommand(page, 'log');
  const filter = page.getByRole('searchbox', { name: 'Filter log' });
  await expect(filter).toBeFocused();
  await page.keyboard.type('check failed');
  await expect(page.locator('.run-log-line')).toHaveText([/check.*bad row 2/]);
  await page.locator('.run-log-line').click();
  await page.keyboard.press('Control+F');
  await expect(filter).toBeFocused();
  await runCommand(page, 'items of the loop');
  await expect(items.getByRole('radiogroup')).toBeFocused();
});
