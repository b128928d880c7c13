/** Reads the values of a run by mouse and keyboard: tables, trees, Markdown and pictures. */
import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run } from './window.ts';

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A limit has cut all but the first one. */
const letters = ['a', 'b', 'c', 'd'].map((id, index) => ({ id, body: id.repeat(index === 0 ? 120 : 500) }));

const flow = `flow: { name: Data }
nodes:
  - id: orders
    type: constant
    input:
      value:
        - { order: A-7, total: 148, customer: { name: Amina }, note: "=SUM(A1:A9)" }
        - { order: B-2, total: 12.5, note: "Please leave the parcel with the neighbors, who are always at home until noon." }
        - { order: C-1, total: 90, isGift: true }
  - { id: letters, type: constant, input: { value: ${JSON.stringify(letters)} } }
  - id: report
    type: echo
    input: { text: "# Totals\\n\\n- **three** orders\\n- ![remote](https://example.com/x.png)" }
  - { id: chart, type: constant, input: { value: "${dot}" } }
  - { id: read, type: file.read, input: { path: rows.json } }
  - { id: rows, type: json.parse, input: { text: "{{read.text}}" } }
edges: [{ from: read, to: rows }]
`;

const manyRows = JSON.stringify(
  Array.from({ length: 100_000 }, (_, index) => ({ id: index, city: index % 2 === 0 ? 'Oslo' : 'Kyiv' })),
);

function cells(page: Page, column: number): Locator {
  return inspector(page)
    .getByRole('gridcell')
    .and(page.locator(`[aria-colindex="${column}"]`));
}

/** A page can read the clipboard only while its window has the focus. */
function copied(app: ElectronApplication): Promise<string> {
  return app.evaluate(({ clipboard }) => clipboard.readText());
}

test('reads tables, trees, Markdown and pictures by mouse', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'data.flow.yaml': flow, 'rows.json': manyRows });
  const { app, page } = await program.open(workspace);
  await openFlow(page, 'data');
  await run(page);
  await expectRun(page, 'completed');
  const panel = inspector(page);

  await test.step('a list of records is a table that is sorted, filtered and copied', async () => {
    await card(page, 'orders').click();
    await expect(cells(page, 1)).toHaveText(['A-7', 'B-2', 'C-1']);
    await panel.getByRole('columnheader', { name: 'total' }).click();
    await expect(cells(page, 1)).toHaveText(['B-2', 'C-1', 'A-7']);
    await panel.getByRole('searchbox', { name: 'Filter rows' }).fill('amina');
    await expect(cells(page, 1)).toHaveText(['A-7']);
    await panel.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'isGift' }).click();
    await panel.getByRole('button', { name: 'Copy as CSV' }).click();
    await expect.poll(() => copied(app)).toBe(`order,total,customer.name,note\r\nA-7,148,Amina,'=SUM(A1:A9)\r\n`);
    await expectNoneInBothThemes(page, 'a table of values', '.value-table-view');
  });

  await test.step('a cut cell is shown in full, with its path as a binding', async () => {
    await panel.getByRole('searchbox', { name: 'Filter rows' }).fill('');
    await cells(page, 4).filter({ hasText: 'neighbors' }).click();
    await expect(panel.getByRole('region', { name: 'Whole value' })).toHaveText(/at home until noon\.$/);
    await panel.getByRole('button', { name: 'Copy as binding' }).click();
    await expect.poll(() => copied(app)).toBe('{{orders.value[1].note}}');
  });

  await test.step('long texts have their length beside them, and it leads to a limit that cut them', async () => {
    await card(page, 'letters').click();
    await panel.getByRole('button', { name: '3 texts in body have exactly 500 characters' }).click();
    await expect(cells(page, 1)).toHaveText(['b', 'c', 'd', 'a']);
    await expect(cells(page, 3)).toHaveText(['500', '500', '500', '120']);
    await expect(panel).toContainText('500 characters');
    await panel.getByRole('columnheader', { name: 'Length of body' }).click();
    await expect(cells(page, 3).first()).toHaveText('120');
  });

  await test.step('the selected view is kept for the node', async () => {
    await card(page, 'orders').click();
    await panel.getByRole('radio', { name: 'JSON' }).click();
    await expect(panel.getByRole('tree', { name: 'Output' })).toContainText('Amina');
    await card(page, 'report').click();
    await panel.getByRole('radio', { name: 'Markdown' }).click();
    await expect(panel.getByRole('heading', { name: 'Totals' })).toBeVisible();
    await expect(panel.getByRole('img')).toHaveCount(0);
    await card(page, 'orders').click();
    await expect(panel.getByRole('tree', { name: 'Output' })).toContainText('Amina');
    await card(page, 'report').click();
    await expect(panel.getByRole('heading', { name: 'Totals' })).toBeVisible();
  });

  await card(page, 'chart').click();
  await expect(panel.getByRole('img', { name: 'value as an image' })).toHaveAttribute('src', dot);

  await test.step('100,000 rows are scrolled and filtered', async () => {
    await card(page, 'rows').click();
    await panel.getByRole('button', { name: /^Load/ }).click();
    await panel.getByRole('grid').evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
    await expect(cells(page, 1).filter({ hasText: /^99999$/ })).toBeVisible();
    expect(await panel.getByRole('gridcell').count()).toBeLessThan(200);
    await panel.getByRole('searchbox', { name: 'Filter rows' }).fill('oslo');
    await expect(panel).toContainText('50,000 of 100,000 rows');
    await card(page, 'chart').click();
    await card(page, 'rows').click();
    await expect(panel).toContainText('100,000 rows');
  });
});

test('reads tables and trees by keyboard alone', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'data.flow.yaml': flow, 'rows.json': '[]' });
  const { app, page } = await program.open(workspace);
  await openFlow(page, 'data');
  await run(page);
  await expectRun(page, 'completed');
  const panel = inspector(page);
  await card(page, 'orders').click();
  const grid = panel.getByRole('grid');
  await grid.focus();
  for (const key of ['Home', 'ArrowRight', 'Enter', 'Enter']) await page.keyboard.press(key);
  await expect(cells(page, 1)).toHaveText(['A-7', 'C-1', 'B-2']);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'Control+C']) await page.keyboard.press(key);
  await expect.poll(() => copied(app)).toBe('C-1');
  await page.keyboard.press('Shift+Alt+C');
  await expect.poll(() => copied(app)).toBe('{{orders.value[2].order}}');

  await panel.getByRole('radio', { name: 'Text' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  const tree = panel.getByRole('tree', { name: 'Output' });
  await panel.getByRole('searchbox').focus();
  await page.keyboard.type('amina');
  await page.keyboard.press('Enter');
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('Amina');
  await tree.focus();
  await page.keyboard.press('Shift+Alt+C');
  await expect.poll(() => copied(app)).toBe('{{orders.value[0].customer.name}}');
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(tree.getByRole('treeitem', { selected: true })).toHaveAttribute('aria-expanded', 'false');
});
