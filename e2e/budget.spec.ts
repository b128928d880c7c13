/**
 * Tests that a run pauses when it has used the budget of its flow, and continues when a person raises it in the window:
 * by mouse and by keyboard.
 */
import { expect, type Page } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, openFlow, run, runHeader } from './window.ts';

const prompt = (id: string) =>
  `  - { id: ${id}, type: prompt, config: { model: "scripted::model.yaml" }, input: { prompt: Write. } }`;
const files = {
  'careful.flow.yaml': `flow: { name: Careful, policy: { budget: { tokens: 30 } } }
nodes:
${prompt('first')}
${prompt('second')}
edges: [{ from: first, to: second }]
`,
  'model.yaml': 'replies:\n  - { match: "", reply: "A text.", usage: { promptTokens: 10, completionTokens: 20 } }\n',
};

/** Starts the flow and waits until it has used its budget. */
async function startCareful(page: Page): Promise<void> {
  await openFlow(page, 'careful');
  await run(page);
  await expectRun(page, 'Budget of 30 tokens reached');
  await expect(runHeader(page)).toContainText('30 of 30 tokens');
  await expect(card(page, 'second')).toHaveAccessibleName(/paused/);
}

test('13.14 a run that has used its budget is raised and continued by mouse', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await startCareful(page);
  await expect(runHeader(page).getByRole('button', { name: /^Continue/ })).toHaveCount(0);
  await runHeader(page).getByRole('button', { name: 'Raise to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Raise the budget' });
  await expect(dialog).toContainText('30 tokens of 30 tokens used');
  const limit = dialog.getByLabel('New limit in tokens');
  await limit.fill('20');
  await dialog.getByRole('button', { name: 'Raise and continue' }).click();
  await expect(dialog).toContainText('Enter a whole number above 30 tokens.');
  await limit.fill('100');
  await dialog.getByRole('button', { name: 'Raise and continue' }).click();
  await expectRun(page, 'completed');
  await expect(dialog).toHaveCount(0);
  await expect(runHeader(page)).toContainText('60 of 100 tokens');
});

test('13.14 a run that has used its budget is raised by keyboard, and its log says by whom', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await startCareful(page);
  await page.keyboard.press('F5');
  await expect(page.getByLabel('New limit in tokens')).toBeFocused();
  await page.keyboard.press('Escape');
  await expectRun(page, 'Budget of 30 tokens reached');
  await page.keyboard.press('F5');
  await expect(page.getByLabel('New limit in tokens')).toBeFocused();
  await page.keyboard.type('60');
  await page.keyboard.press('Enter');
  await expectRun(page, 'completed');
  await page.getByRole('tab', { name: /^Log/ }).click();
  await expect(page.locator('.run-log-line').filter({ hasText: /budget raised by / })).toHaveCount(1);
});
