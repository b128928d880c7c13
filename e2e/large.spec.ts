/**
 * Tests large amounts of data: values too large to be sent with every event, and runs that emit thousands of events at
 * once.
 */
import { expect } from '@playwright/test';
import { chainFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run } from './window.ts';

const readFlow = `flow: { name: Read }
nodes: [{ id: book, type: file.read, input: { path: book.txt } }]
edges: []
`;

test('shows the beginning of a text of 1 MB, and the rest on request', { tag: '@thorough' }, async ({ program }) => {
  const book = `${'All work and no play. '.repeat(50_000)}The very end.`;
  const workspace = await program.makeWorkspace({ 'read.flow.yaml': readFlow, 'book.txt': book });
  const { page } = await program.open(workspace);
  await openFlow(page, 'read');
  await run(page);
  await expectRun(page, 'completed');
  await card(page, 'book').click();
  await expect(inspector(page)).toContainText('All work and no play.');
  expect((await page.content()).length).toBeLessThan(book.length / 2);
  for (const more of [/^Load 1\.1 MB/, /^Show all/]) await inspector(page).getByRole('button', { name: more }).click();
  await expect(inspector(page)).toContainText('The very end.');
});

test('keeps up with a run of thousands of events and stays responsive', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'chain.flow.yaml': chainFlow(1250) });
  const { page } = await program.open(workspace);
  await openFlow(page, 'chain');
  await test.step('opens at its start and links to the full text', async () => {
    const all = page.getByRole('button', { name: 'Show all 1250' });
    await all.click();
    await expect(all).toHaveCount(0);
    await expect(page.locator('.react-flow__viewport')).toHaveAttribute('style', /scale\(0\.[0-4]/);
  });
  await run(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: /shortcuts/i })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectRun(page, 'completed');
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText('1,250 of 1,250 nodes');
});
