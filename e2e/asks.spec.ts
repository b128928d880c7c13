/** Tests nodes that ask a person and are answered in the window, also after the program is started again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, openFlow, run } from './window.ts';

const askingFlow = `flow: { name: Asking, policy: { maxParallel: 2 } }
nodes:
  - id: who
    type: user_input
    input:
      title: Who gets it?
      schema: { type: object, required: [name], properties: { name: { type: string }, size: { type: string, enum: [small, large] } } }
      defaults: { size: large }
  - id: gate
    type: human_approval
    input: { title: "Send <b>it</b>?", action: { call: mail.send }, diff: "-old\\n+new", params: { to: all }, recommended: approve, askedBy: writer }
  - { id: sent, type: echo, input: { text: "{{gate.params.to}} {{who.values.name}}" } }
edges:
  - { from: who, to: sent }
  - { from: gate, to: sent, when: { equals: { var: gate.route, value: approved } } }
`;

/** Returns the window state that main has stored, as text. */
function keptSessions(userData: string): string {
  const folder = path.join(userData, 'sessions');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
}

test('typed text survives a killed program; a form is sent and an approval edited by keyboard', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'asking.flow.yaml': askingFlow });
  const first = await program.start(['--workspace', workspace]);
  await openFlow(first.page, 'asking');
  await run(first.page);
  await expectRun(first.page, 'waiting for you');
  await card(first.page, 'who').click();
  const name = first.page.getByRole('textbox', { name: /^name/ });
  await name.fill('Ada');
  await first.page.getByRole('textbox', { name: /^Comment optional/ }).fill('as agreed');
  const userData = await first.app.evaluate(({ app }) => app.getPath('userData'));
  await expect.poll(() => keptSessions(userData)).toContain('as agreed');
  const gone = first.app.waitForEvent('close');
  first.app.process().kill('SIGKILL');
  await gone;

  const { page } = await program.start(['--workspace', workspace]);
  await page.getByRole('button', { name: 'Waiting for you: 2' }).press('Enter');
  const inbox = page.getByRole('list', { name: 'Waiting for you' });
  await inbox.getByRole('button', { name: /who/ }).press('Enter');
  await expect(page.getByRole('textbox', { name: /^name/ })).toHaveValue('Ada');
  await expect(page.getByRole('textbox', { name: /^Comment optional/ })).toHaveValue('as agreed');
  await page.getByRole('textbox', { name: /^name/ }).press('Control+Enter');
  await expect(inbox.getByRole('button')).toHaveCount(1);

  await inbox.getByRole('button', { name: /gate/ }).press('Enter');
  const ask = page.getByRole('region', { name: 'Send <b>it</b>?' });
  await expect(ask).toContainText('mail.send');
  await ask.getByRole('textbox', { name: /^to/ }).fill('Bob');
  await ask.getByRole('textbox', { name: /^to/ }).press('Control+Enter');
  await expectRun(page, 'completed');
  await card(page, 'sent').click();
  await expect(page.locator('.inspector')).toContainText('Bob Ada');
});

const otherFlow = `flow: { name: Other }
nodes: [{ id: pay, type: human_approval, input: { title: "Pay it?" } }]
edges: []
`;

test('12.6 the inbox shows requests of another window, which can only be answered there', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'asking.flow.yaml': askingFlow });
  const other = await program.makeWorkspace({ 'other.flow.yaml': otherFlow });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'asking');
  await run(page);
  await expectRun(page, 'waiting for you');
  const opened = app.waitForEvent('window');
  await program.startBeside(['--workspace', other]);
  const page2 = await opened;
  await openFlow(page2, 'other');
  await run(page2);
  await expectRun(page2, 'waiting for you');
  await page2.getByRole('button', { name: 'Waiting for you: 3' }).press('Enter');
  const elsewhere = page2.getByRole('list', { name: 'Waiting for you' });
  await elsewhere.getByRole('button', { name: /^gate/ }).press('a');
  await expect(page.getByRole('textbox', { name: /^to/ })).toBeFocused();
  await expect(elsewhere.getByRole('button')).toHaveCount(3);
  await page.getByRole('textbox', { name: /^to/ }).press('Control+Enter');
  await expect(elsewhere.getByRole('button')).toHaveCount(2);
  await page.getByRole('tab', { name: 'Output', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Answers' })).toContainText('Approved by');
});
