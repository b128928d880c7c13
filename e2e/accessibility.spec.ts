/** What axe finds in the window, in the states that differ most, in both themes. */
import { expect } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { loopFlow, switchFlow } from './flows.ts';
import { killEngine } from './main-process.ts';
import { test } from './program.ts';
import { startSilentServer } from './silent-server.ts';
import { card, expectRun, openFlow, run, runCommand, runHeader, showProblems, showRuns } from './window.ts';

const brokenFlow = 'flow: { name: Broken }\nnodes:\n  - { id: a, type: nope, input: {} }\nedges: []\n';
/** A failure that is tolerated, and a node that is skipped. */
const mixedFlow = `flow: { name: Mixed }
nodes:
  - { id: boom, type: control.fail, input: { message: no }, policy: { continueOnError: true } }
  - { id: never, type: echo, input: { text: hi }, when: { equals: { var: flow.input.x, value: 1 } } }
  - { id: off, type: echo, input: { text: hi }, disabled: true }
edges:
  - { from: boom, to: never }
`;

test('has no serious accessibility problem', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'broken.flow.yaml': brokenFlow, 'mixed.flow.yaml': mixedFlow });
  const { page } = await program.open(workspace);

  await openFlow(page, 'mixed');
  await card(page, 'never').click();
  await expectNoneInBothThemes(page, 'a selected node at rest');
  await page.keyboard.press('Escape');
  await run(page);
  await expectRun(page, 'completed');
  await expectNoneInBothThemes(page, 'a run with a failure and a skipped node');
  await card(page, 'never').click();
  await expectNoneInBothThemes(page, 'the reason of a skip');
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Mixed');
  await expectNoneInBothThemes(page, 'canvas and text');

  await openFlow(page, 'broken');
  await showProblems(page);
  await expectNoneInBothThemes(page, 'problems');
  await showRuns(page);
  await expectNoneInBothThemes(page, 'past runs');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expectNoneInBothThemes(page, 'a dialog');
});

test('has none in high contrast and its settings', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'mixed.flow.yaml': mixedFlow });
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'mixed');
  await runCommand(page, 'Settings of the editor');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expectNoneInBothThemes(page, 'the settings of the editor');
  await settings.getByRole('radio', { name: 'Compact' }).click();
  await settings.getByRole('radio', { name: 'High' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'high');
  await expectNoneInBothThemes(page, 'the settings of the editor in high contrast');
  await page.keyboard.press('Escape');
  await run(page);
  await expectRun(page, 'completed');
  await expectNoneInBothThemes(page, 'a run in high contrast');

  await runCommand(page, 'Settings of the editor');
  await settings.getByRole('radio', { name: 'Normal' }).click();
  await page.emulateMedia({ contrast: 'more' });
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'high');
});

test('has none in runs that wait, were cut or take over results', async ({ program }) => {
  const server = await startSilentServer();
  const post = `{ id: post, type: http.request, input: { url: "${server.url}", method: POST } }`;
  const workspace = await program.makeTrustedWorkspace({
    'loop.flow.yaml': loopFlow,
    'post.flow.yaml': `flow: { name: Post }\nnodes:\n  - ${post}\nedges: []\n`,
    'switch.flow.yaml': switchFlow,
  });
  const { app, page } = await program.start(['--workspace', workspace]);

  await openFlow(page, 'switch');
  await run(page);
  await expectRun(page, 'completed');
  await card(page, 'route').click();
  await runCommand(page, 'Show what would run again');
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(4);
  await expectNoneInBothThemes(page, 'the plan of a rerun');
  await page.keyboard.press('Enter');
  await expect(card(page, 'size')).toHaveAccessibleName(/reused/);
  await expectNoneInBothThemes(page, 'a run that took over results');

  await openFlow(page, 'loop');
  await run(page);
  await expectRun(page, 'completed');
  await card(page, 'check').click();
  await expectNoneInBothThemes(page, 'an item of a loop');

  await openFlow(page, 'post');
  await run(page);
  await expect.poll(() => server.requests).toHaveLength(1);
  await killEngine(app);
  await expectRun(page, 'interrupted');
  await showRuns(page);
  await expectNoneInBothThemes(page, 'a run that was cut');
  await runHeader(page).getByRole('button', { name: 'Resume' }).click();
  await expectRun(page, 'waiting for you');
  await card(page, 'post').click();
  await expectNoneInBothThemes(page, 'a run that waits for a person');
  await server.close();
});
