/**
 * Tests the support desk example: editing its catalog on the canvas, and holding a conversation by chat, forms and
 * answers.
 */
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { saved } from './edited-flow.ts';
import { type Program, test } from './program.ts';
import { expectRun, openFile } from './window.ts';

const examples = path.join(import.meta.dirname, '../resources/workspace');
const catalogue = 'support-desk/support.dialogue.yaml';

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

function chat(page: Page) {
  return page.getByRole('region', { name: 'Chat' });
}

/** Expects the last message of the assistant to match. */
async function expectReply(page: Page, words: RegExp): Promise<void> {
  await expect(chat(page).locator('.message[data-from="assistant"]').last()).toContainText(words);
}

/** Opens the catalog in a workspace with the support desk and its tools. */
async function openDesk(program: Program): Promise<{ readonly page: Page; readonly workspace: string }> {
  const workspace = await program.makeWorkspace({});
  await cp(path.join(examples, 'support-desk'), path.join(workspace, 'support-desk'), { recursive: true });
  await cp(path.join(examples, 'tools'), path.join(workspace, 'tools'), { recursive: true });
  const { page } = await program.open(workspace);
  await openFile(page, catalogue);
  return { page, workspace };
}

test('edits the support desk on its canvas and talks to it by chat and forms, with mouse and keyboard', async ({
  program,
}) => {
  const { page, workspace } = await openDesk(program);
  const file = path.join(workspace, catalogue);
  const before = await readFile(file, 'utf8');
  const stack = page.getByRole('complementary', { name: 'Stack' });

  await test.step('renames a flow by keyboard and adds a slot by mouse, and undo restores the original bytes', async () => {
    const card = page.locator('[data-flow="ask_colleague"]');
    await card.click();
    await card.press('F2');
    await page.getByRole('textbox', { name: 'Name of ask_colleague' }).fill('ask_somebody');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-flow="ask_somebody"]')).toBeFocused();
    await expect(page.locator('[data-flow="find_order"]')).toContainText('falls back to ask_somebody');
    await page.getByRole('button', { name: 'Add a slot' }).click();
    const canvas = { page, workspace, file };
    const renamed = before.replaceAll('ask_colleague', 'ask_somebody');
    const slot = '      number: { type: exact, priority: optional }\n';
    const added = `${slot}      value: { type: exact, priority: required }\n`;
    await saved(canvas, (text) => text === renamed.replace(slot, added));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await saved(canvas, (text) => text === before);
  });

  await test.step('asks for missing slots and fills them from messages or a form', async () => {
    await page.getByRole('radio', { name: 'Chat' }).click();
    await say(page, 'where is my order?');
    await expectReply(page, /Which order number/);
    await expect(stack).toContainText('active, needs a value');
    await say(page, 'AB-12');
    await expectReply(page, /Ada bought a lamp for 40/);
    await say(page, 'refund AB-12');
    const form = page.getByRole('form', { name: 'Values for refund' });
    await form.getByLabel('amount').fill('30');
    await form.getByLabel('amount').press('Enter');
    await expectReply(page, /waits for an approval: Pay 30 back for AB-12/);
  });

  await test.step('a run asks in the chat, is shown on the canvas, and continues with a different amount', async () => {
    await stack.getByRole('button', { name: 'Show the run of refund' }).click();
    await expectRun(page, 'waiting for you');
    await page.getByRole('button', { name: 'support', exact: true }).click();
    await chat(page).getByLabel('amount').fill('25');
    await chat(page)
      .getByRole('button', { name: /^Approve/ })
      .click();
    await expectReply(page, /25 are on their way/);
    await expect(stack).toContainText('No flow is in progress');
  });

  await test.step('a plan shows its progress step by step and why it was chosen', async () => {
    await say(page, 'close the quarter Q3');
    await expectReply(page, /The quarter is closed/);
    await stack.getByRole('tab', { name: 'Steps' }).click();
    await stack.getByRole('button', { name: /Plan reviewed: expand/ }).click();
    await stack.getByRole('tab', { name: 'Stack' }).click();
    await expect(stack.getByRole('listitem').filter({ hasText: 'waits for its parts' })).toContainText('1/4');
    await stack.getByRole('button', { name: 'Next step' }).press('Enter');
    await stack.getByRole('tab', { name: 'Why' }).click();
    await expect(stack.getByRole('region', { name: 'Chosen flow' })).toContainText('close the quarter Q3');
    await stack.getByRole('button', { name: 'Back to now' }).click();
  });

  await test.step('a turn can be undone and rephrased, and the conversation survives closing its tab', async () => {
    const turn = chat(page).getByRole('listitem').filter({ hasText: 'close the quarter Q3' });
    await turn.getByRole('button', { name: 'Take back and rephrase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    const field = page.getByRole('textbox', { name: 'Message' });
    await expect(field).toHaveValue('close the quarter Q3');
    await expect(turn).toHaveCount(0);
    await field.fill('thank you');
    await field.press('Enter');
    await expectReply(page, /You are welcome/);
    const close = page.getByRole('button', { name: 'Close support' });
    await close.click();
    await expect(close).toBeHidden();
    await openFile(page, catalogue);
    await page.getByRole('radio', { name: 'Chat' }).click();
    await expectReply(page, /You are welcome/);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await expect(chat(page).getByRole('listitem')).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Conversation' }).click();
    await expect(page.getByRole('option')).toHaveCount(2);
  });
});

test('catalog, chat, forms and stack have no serious accessibility problems', { tag: '@thorough' }, async ({
  program,
}) => {
  const { page } = await openDesk(program);
  await page.locator('[data-flow="refund"]').click();
  await page.getByRole('button', { name: /^amount/ }).click();
  await expectNoneInBothThemes(page, 'a catalogue on its canvas', '.workspace');
  await page.getByRole('radio', { name: 'Chat' }).click();
  await say(page, 'refund AB-12');
  await expect(page.getByRole('form', { name: 'Values for refund' })).toBeVisible();
  await expectNoneInBothThemes(page, 'a form of slots', '.conversation');
  await page.getByRole('button', { name: 'Cancel refund' }).click();
  await expect(page.getByRole('form')).toHaveCount(0);
  await say(page, 'close the quarter Q3');
  await expectReply(page, /The quarter is closed/);
  for (const tab of ['Why', 'Notes', 'Steps']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectNoneInBothThemes(page, `the tab ${tab}`, '.conversation-side');
  }
  await page.getByRole('button', { name: /Plan reviewed: expand/ }).click();
  await page.getByRole('tab', { name: 'Stack' }).click();
  await expectNoneInBothThemes(page, 'a plan at an earlier step', '.conversation-side');
});
