/** Reads the values of a run by mouse and keyboard: tables, trees, Markdown and pictures. */
import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { type Program, type RunningProgram, test } from './program.ts';
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

/** Returns the cells of a column. The numbers of the rows are before the first one. */
function cells(page: Page, column: number): Locator {
  return inspector(page)
    .getByRole('gridcell')
    .and(page.locator(`[aria-colindex="${column + 1}"]`));
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
    await cells(page, 5).filter({ hasText: 'neighbors' }).click();
    await expect(panel.getByRole('region', { name: 'Whole value' })).toHaveText(/at home until noon\.$/);
    await panel.getByRole('button', { name: 'Copy as binding' }).click();
    await expect.poll(() => copied(app)).toBe('{{orders.value[1].note}}');
  });

  await test.step('long texts have their length beside them, and it leads to a limit that cut them', async () => {
    await card(page, 'letters').click();
    await panel.getByRole('button', { name: '3 texts in body have exactly 500 characters' }).click();
    await expect(cells(page, 1)).toHaveText(['b', 'c', 'd', 'a']);
    await expect(cells(page, 2)).toHaveText(['500', '500', '500', '120']);
    await expect(panel).toContainText('500 characters');
    await panel.getByRole('columnheader', { name: 'Length of body' }).click();
    await expect(cells(page, 2).first()).toHaveText('120');
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
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'Enter', 'Enter']) await page.keyboard.press(key);
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

const lands = ['DE', 'AT', 'DE ', 'DE'].map((land, index) => ({ id: index + 1, land, body: 'word '.repeat(100) }));

const loopFlow = `flow: { name: Loop }
nodes:
  - { id: list, type: constant, input: { value: ${JSON.stringify(lands)} } }
  - { id: each, type: control.foreach, input: { items: "{{list.value}}", body: [route, hamburg, tidy] } }
  - id: route
    type: control.switch
    input: { value: "{{item.land}}", cases: [{ when: { equals: { var: value, value: DE } }, route: DE }] }
  - { id: hamburg, type: template, config: { template: "Packed {{id}}" }, input: { id: "{{item.id}}" } }
  - id: tidy
    type: script.js
    input: { body: "{{item.body}}" }
    config: { code: "return { text: 'W' + input.body.slice(1, 200) };" }
edges:
  - { from: list, to: each }
  - { from: route, to: hamburg, when: { equals: { var: route.route, value: DE } } }
`;

async function runLoop(program: Program): Promise<RunningProgram> {
  const running = await program.open(await program.makeWorkspace({ 'loop.flow.yaml': loopFlow }));
  await openFlow(running.page, 'loop');
  await run(running.page);
  await expectRun(running.page, 'completed');
  return running;
}

test('finds the item with a space at its end in the output of a loop, by mouse', async ({ program }) => {
  const { app, page } = await runLoop(program);
  const panel = inspector(page);
  let packed = 0;

  await test.step('each item is a row with the outputs of the nodes', async () => {
    await card(page, 'each').click();
    await expect(panel.getByRole('columnheader', { name: 'item.land' })).toBeVisible();
    const names = await panel.getByRole('columnheader').allTextContents();
    expect(names.slice(0, 5)).toEqual(['#', 'id', 'land', 'length', 'body']);
    expect(names).toEqual(expect.arrayContaining(['route.route', 'hamburg.text', 'tidy.text']));
    packed = names.indexOf('hamburg.text');
    await expect(cells(page, packed)).toHaveText(['Packed 1', 'skipped', 'skipped', 'Packed 4']);
    await expectNoneInBothThemes(page, 'the table of a loop', '.value-table-view');
  });

  await test.step('the menu of a column lists its values, and one of them filters', async () => {
    await panel.getByRole('columnheader', { name: 'item.land' }).hover();
    await panel.getByRole('button', { name: 'Values of item.land' }).click();
    await expect(page.getByRole('menuitemcheckbox')).toHaveText([/^DE2$/, /^AT1$/, /^DE 1$/]);
    await page.getByRole('menuitemcheckbox').nth(2).click();
    await expect(panel.getByRole('rowheader')).toHaveText(['3']);
    await expect(cells(page, 2)).toHaveAttribute('title', 'Ends with a space');
    await panel.getByRole('button', { name: 'Copy as CSV' }).click();
    await expect.poll(() => copied(app)).toContain('\r\n3,"DE ",');
  });

  await test.step('a row leads to its item in the nodes of the loop', async () => {
    await cells(page, packed).click();
    await expect(panel).toContainText('Item 3 of 4');
    await panel.getByRole('button', { name: 'Show item 3' }).click();
    await expect(panel.getByRole('region', { name: 'Item of each' })).toContainText('Item 3 of 4');
    await card(page, 'tidy').click();
    await expect(panel).toContainText('200 of 500 characters of input.body');
  });

  await test.step('the list that the loop reads leads to its items as well', async () => {
    await card(page, 'list').click();
    await panel.getByRole('rowheader', { name: '4' }).dblclick();
    await expect(panel.getByRole('region', { name: 'Item of each' })).toContainText('Item 4 of 4');
  });
});

test('finds the item with a space at its end in the output of a loop, by keyboard alone', async ({ program }) => {
  const { page } = await runLoop(program);
  const panel = inspector(page);
  await card(page, 'each').click();
  await panel.getByRole('grid').focus();
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'Alt+ArrowDown']) await page.keyboard.press(key);
  await expect(page.getByRole('menuitemcheckbox')).toHaveCount(3);
  for (const key of ['End', 'Enter']) await page.keyboard.press(key);
  await expect(panel.getByRole('rowheader')).toHaveText(['3']);
  await expect(panel.getByRole('grid')).toBeFocused();
  for (const key of ['ArrowDown', 'Home', 'Enter']) await page.keyboard.press(key);
  await expect(panel.getByRole('region', { name: 'Item of each' })).toContainText('Item 3 of 4');
});
