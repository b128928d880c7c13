/** Tests searching all files of a workspace, and the list of runs that wait for a person. */
import { expect, type Page } from '@playwright/test';
import { expectNoneInBothThemes, expectNoSeriousProblem } from './axe.ts';
import { echoFlow } from './flows.ts';
import { killEngine } from './main-process.ts';
import { test } from './program.ts';
import { startSilentServer } from './silent-server.ts';
import { lines, showText, type } from './text-view.ts';
import { card, expectRun, inspector, openFlow, run, runHeader, runList } from './window.ts';

const chain = `flow: { name: Chain }
nodes:
  - id: first
    type: echo
    input: { text: the wheel turns }
  - id: second
    type: echo
    input: { text: "{{first.text}} slowly" }
edges:
  - { from: first, to: second }
`;

const files = {
  'chain.flow.yaml': chain,
  'echo.flow.yaml': echoFlow('hi'),
  'notes/mill.md': '# Mill\r\n\r\nA Wheel in the water.\r\n',
  'node_modules/other.md': 'wheel',
};

function results(page: Page) {
  return page.getByRole('tree', { name: 'Search results' });
}

test('finds text in all files, including unsaved text, and opens a match by keyboard alone', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await showText(page, 'echo');
  await type(page, '# an unsaved wheel');

  await page.keyboard.press('Control+Shift+F');
  await expect(page.getByRole('textbox', { name: 'Search in files' })).toBeFocused();
  await page.keyboard.type('wheel');
  await expect(page.getByRole('status').filter({ hasText: '3 matches in 3 files' })).toBeVisible();
  await expect(results(page).getByRole('treeitem')).toHaveText([
    /chain\.flow\.yaml/,
    /the wheel turns/,
    /echo\.flow\.yaml/,
    /# an unsaved wheel/,
    /mill\.md/,
    /A Wheel in the water\./,
  ]);

  // A flow opens next to its canvas, with the node on that line selected.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main', { name: 'chain.flow.yaml' })).toBeVisible();
  await expect(page.locator('.monaco-editor').first()).toHaveClass(/focused/);
  await expect(page.getByRole('contentinfo')).toContainText('Ln 5, Col 29');
  await expect(inspector(page)).toContainText('first');
  await page.keyboard.press('Escape');

  // The same keys return to the search panel from the editor. Options narrow the results.
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('button', { name: 'Match case' }).click();
  await expect(page.getByRole('status').filter({ hasText: '2 matches in 2 files' })).toBeVisible();
  await page.getByRole('button', { name: 'Filter files' }).click();
  await page.getByRole('textbox', { name: 'Files to include' }).fill('notes');
  await expect(page.getByRole('status').filter({ hasText: 'No matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Match case' }).click();
  await results(page).getByRole('treeitem', { name: 'Line 3' }).click();
  await expect(page.getByRole('main', { name: 'notes/mill.md' })).toBeVisible();
  await expect(lines(page)).toContainText('A Wheel in the water.');
});

test('reports an invalid or slow regular expression and stays usable', { tag: '@thorough' }, async ({ program }) => {
  const slow = { ...files, 'slow.txt': `${'a'.repeat(60)}!` };
  const { page } = await program.open(await program.makeWorkspace(slow));
  await openFlow(page, 'echo');
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  const field = page.getByRole('textbox', { name: 'Search in files' });
  // From elsewhere in the panel, the same keys focus the field. They close the panel only from within the field.
  await page.keyboard.press('Control+Shift+F');
  await expect(field).toBeFocused();
  await field.fill('wh(eel');
  await expect(page.getByRole('alert')).toContainText('is not a valid regular expression');
  await field.fill('^(a+)+$');
  await expect(page.getByRole('status').filter({ hasText: 'slow.txt took too long' })).toBeVisible();
  await field.fill('whe*l');
  await expect(results(page).getByRole('treeitem', { name: /the wheel turns/ })).toBeVisible();
});

test('lists waiting runs and opens each at its node; each flow shows its runs behind a button', {
  tag: '@thorough',
}, async ({ program }) => {
  const server = await startSilentServer();
  const sending = `flow: { name: Sending }
nodes:
  - { id: order, type: http.request, input: { url: "${server.url}/order", method: POST } }
edges: []
`;
  const workspace = await program.makeTrustedWorkspace({ ...files, 'sending.flow.yaml': sending });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'sending');
  await run(page);
  await expect.poll(() => server.requests).toHaveLength(1);
  await killEngine(app);
  await expectRun(page, 'interrupted');
  server.speak();
  await runHeader(page).getByRole('button', { name: 'Resume' }).click();
  await expectRun(page, 'waiting for you');
  await openFlow(page, 'echo');

  const rail = page.getByRole('navigation', { name: 'Side panel' });
  await expect(rail.getByRole('button', { name: 'Waiting for you: 1' })).toBeVisible();
  await page.keyboard.press('Control+Shift+Y');
  const row = page.getByRole('list', { name: 'Waiting for you' }).getByRole('button');
  await expect(row).toContainText('order');
  await expect(row).toContainText('was running when the program stopped');
  await expectNoSeriousProblem(page, 'what waits');
  await row.press('Enter');
  await expect(page.getByRole('main', { name: 'sending.flow.yaml' })).toBeVisible();
  await expect(card(page, 'order')).toHaveAccessibleName(/waiting for you/);
  await expect(inspector(page)).toContainText('order');

  await page.getByRole('main').getByRole('button', { name: 'Runs, 1' }).click();
  await expect(runList(page).getByRole('radio', { name: 'This flow' })).toBeChecked();
  await expect(runList(page).getByRole('listitem')).toHaveCount(1);
  await server.close();
});

test('axe finds no serious problems in the search', { tag: '@thorough' }, async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await openFlow(page, 'echo');
  await page.keyboard.press('Control+Shift+F');
  await expectNoneInBothThemes(page, 'nothing looked for');
  await page.keyboard.type('wheel');
  await expect(results(page).getByRole('treeitem')).toHaveCount(4);
  await page.keyboard.press('ArrowDown');
  await expectNoneInBothThemes(page, 'results');
  await page.getByRole('button', { name: 'Filter files' }).click();
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await page.getByRole('textbox', { name: 'Search in files' }).fill('a(');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectNoneInBothThemes(page, 'an error');
});
