/**
 * Tests a product's step flow on the canvas: its lane of cards is edited with mouse and keyboard, run, and answered
 * after a kill.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { cardOf, saved } from './edited-flow.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFile, run, showProblems } from './window.ts';

const head = `# A refund
id: refund
autonomy_level: semi_auto   # asks first

steps:
`;
const find = `  # Looks it up
  - id: find
    type: tool
    tool: core.file_list
    params: { glob: "**/*.md" }
`;
const ok = `  - id: ok
    type: human_approval
    message: "Pay it?"
`;
const refund = `${head}${find}
${ok}
  - id: pay
    type: tool
    tool: core.file_list
    params: { glob: "**/*.txt" }   # twice
`;
const flowPath = 'products/shop/flows/refund.yaml';

test('inserts a step between two others by mouse and moves one by keyboard, leaving all other bytes unchanged', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ [flowPath]: refund, 'a.txt': 'x' });
  const { page } = await program.open(workspace);
  await openFile(page, flowPath);
  const canvas = { page, workspace, file: path.join(workspace, flowPath) };
  await page.getByRole('button', { name: 'Add a step between find and ok' }).click();
  await page.locator('.node-palette-row[data-type="human_approval"]').click();
  await expect(cardOf(page, 'approval')).toBeVisible();
  const added = `  - id: approval
    type: human_approval
    message: Continue the flow?
`;
  const inserted = refund.replace(`\n${ok}`, `\n${added}\n${ok}`);
  await saved(canvas, (text) => text === inserted);

  // The last card has moved out of view and cannot be clicked.
  await page.keyboard.press('1');
  await expect(cardOf(page, 'pay')).toBeInViewport({ ratio: 0.99 });
  await cardOf(page, 'pay').click();
  await cardOf(page, 'pay').press('Alt+ArrowLeft');
  const pay = '  - id: pay\n    type: tool\n    tool: core.file_list\n    params: { glob: "**/*.txt" }   # twice\n';
  const moved = inserted.replace(pay, ok).replace(`${added}\n${ok}`, `${added}\n${pay}`);
  await saved(canvas, (text) => text === moved);

  await page.keyboard.press('1');
  await cardOf(page, 'approval').click();
  await page.keyboard.press('Delete');
  await expect(cardOf(page, 'approval')).toBeHidden();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === refund);
  // Commands that a list of steps does not support are not offered.
  await cardOf(page, 'ok').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: /Move one step earlier/ })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /Enable or disable|Group|on failure|Extract/ })).toHaveCount(0);
});

/** A product with an agent and a tool. */
const product = {
  'products/shop/manifest.yaml': 'name: shop\nflows: [refund]\n',
  'products/shop/agents/writer.aip':
    '# Options\n```toml\ncontract = "pure"\n```\n# Output\n```lua\nreturn { letter = "Dear customer" }\n```\n',
  'products/shop/tools/pay.tool.yaml': `tool_id: pay
description: Pays an order back.
risk: high
input_schema: { type: object, properties: { letter: { type: string } } }
run: { js: "return { paid: input.letter };" }
`,
  [flowPath]: `${head}  - { id: write, type: agent, agent: shop.writer }
${ok}  - id: pay
    type: tool
    tool: shop.pay
    params: { letter: "{{artifacts.agent.shop.writer.output.letter}}" }
`,
};

test('a product run keeps waiting over a kill, is approved from the inbox, and completes', async ({ program }) => {
  const workspace = await program.makeWorkspace(product);
  const first = await program.start(['--workspace', workspace]);
  await openFile(first.page, flowPath);
  await run(first.page);
  await expectRun(first.page, 'waiting for you');
  await expect(card(first.page, 'ok')).toHaveAccessibleName(/waiting/);
  const gone = first.app.waitForEvent('close');
  first.app.process().kill('SIGKILL');
  await gone;

  const { page } = await program.start(['--workspace', workspace]);
  await page.getByRole('button', { name: 'Waiting for you: 1' }).press('Enter');
  const inbox = page.getByRole('list', { name: 'Waiting for you' });
  await inbox.getByRole('button', { name: /ok/ }).press('a');
  await expectRun(page, 'completed');
  await expect(card(page, 'pay')).toHaveAccessibleName(/completed/);
  await card(page, 'pay').click();
  await expect(inspector(page)).toContainText('Dear customer');
});

test('a high-risk tool without an approval before it is reported as a problem until one is added', {
  tag: '@thorough',
}, async ({ program }) => {
  const risky = (product[flowPath] ?? '').replace(ok, '');
  const { page } = await program.open(await program.makeWorkspace({ ...product, [flowPath]: risky }));
  await openFile(page, flowPath);
  const problems = await showProblems(page);
  await expect(problems).toContainText('"shop.pay" is a high-risk tool, and no approval comes before it.');
  await page.getByRole('button', { name: 'Add a step between write and pay' }).click();
  await page.locator('.node-palette-row[data-type="human_approval"]').click();
  await expect(problems).not.toContainText('high risk');
});

test('shows an action that the autonomy level prevents, and what it would have done', { tag: '@thorough' }, async ({
  program,
}) => {
  const held = `${head.replace('semi_auto', 'suggest_only')}${find}`;
  const workspace = await program.makeWorkspace({ [flowPath]: held });
  const { page } = await program.open(workspace);
  await openFile(page, flowPath);
  await expect(page.getByRole('button', { name: /^Autonomy: Suggest only/ })).toBeVisible();
  await run(page);
  await expectRun(page, 'completed');
  await expect(card(page, 'find')).toHaveAccessibleName(/held back/);
  await card(page, 'find').click();
  await expect(inspector(page).getByRole('region', { name: 'Suggested actions' })).toContainText(
    /Would have called core\.file_list[\s\S]*\*\*\/\*\.md/,
  );
  expect(await readFile(path.join(workspace, flowPath), 'utf8')).toBe(held);
});
