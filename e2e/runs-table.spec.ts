/**
 * Tests the table of a flow's runs: by mouse and keyboard, filter, labels, charts, and how it compares two runs.
 */
import { expect } from '@playwright/test';
import { millrace } from './command-line.ts';
import { test } from './program.ts';
import { card, inspector, openFlow, runCommand, runHeader } from './window.ts';

const files = {
  'letter.flow.yaml': `flow: { name: Letter, input: { who: Kim, isBad: false } }
nodes:
  - { id: write, type: echo, input: { text: "Dear {{flow.input.who}}" } }
  - { id: stop, type: control.fail, when: { equals: { var: flow.input.isBad, value: true } }, input: { message: no luck } }
edges: [{ from: write, to: stop }]
`,
};

test('many runs are filtered, labeled, charted and opened by mouse and keyboard', async ({ program }) => {
  const folder = await program.makeWorkspace(files);
  for (const who of ['Kim', 'Lea']) await millrace(folder, ['run', 'letter.flow.yaml', '--input', `who=${who}`]);
  await millrace(folder, ['run', 'letter.flow.yaml', '--input', 'isBad=true']);
  const { page } = await program.open(folder);
  await openFlow(page, 'letter');
  await runCommand(page, 'Show the runs of this file as a table');
  const table = page.getByRole('table', { name: 'Runs of letter' });
  const rows = table.locator('.data-line');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('failed: stop');

  await rows.nth(1).click();
  const label = inspector(page).getByRole('combobox', { name: 'Add a label' });
  await label.fill('good');
  await label.press('Enter');
  await expect(rows.nth(1)).toContainText('good');

  await page.getByRole('searchbox', { name: 'Text in inputs or outputs' }).last().fill('lea');
  await expect(rows).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Text in inputs or outputs' }).last().fill('');
  await expect(rows).toHaveCount(3);

  await page.getByText('Charts', { exact: true }).click();
  await expect(page.locator('.run-failures')).toContainText('stop');
  await page.locator('.runs-table').getByText('Table', { exact: true }).click();

  await table.getByRole('button', { name: 'Run', exact: true }).click();
  await table.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(rows.first()).toContainText('1');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(runHeader(page)).toContainText('completed');
  await expect(card(page, 'write')).toHaveAccessibleName(/completed/);
});
