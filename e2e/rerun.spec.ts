/** Tests rerunning from a node: the plan is shown first, and only the necessary nodes run. */
import { expect } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { chainFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runCommand, runHeader, runList, showRuns } from './window.ts';

test('shows what would run again, and reuses the rest', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'chain.flow.yaml': chainFlow(4) });
  const { page } = await program.open(workspace);
  await openFlow(page, 'chain');
  await run(page);
  await expectRun(page, 'completed');

  await card(page, 'n2').click();
  await runCommand(page, 'Show what would run again');
  const plan = page.getByRole('dialog', { name: 'Run again from n2?' });
  await expect(plan).toContainText('2 nodes run again. 2 are reused.');
  const steps = plan.getByRole('list', { name: 'What would happen' }).getByRole('listitem');
  await expect(steps.nth(1)).toContainText('n1');
  await expect(steps.nth(1).getByRole('img', { name: 'reused' })).toBeVisible();
  await expect(steps.nth(2).getByRole('img', { name: 'runs again' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(plan).toHaveCount(0);
  await expect(card(page, 'n1')).toHaveAccessibleName(/completed/);

  await inspector(page)
    .getByRole('button', { name: /Run again from here/ })
    .click();
  await expect(card(page, 'n1')).toHaveAccessibleName(/reused/);
  await expect(card(page, 'n3')).toHaveAccessibleName(/completed/);
  await expect(runHeader(page).getByRole('button', { name: /^rerun of / })).toBeVisible();
  await card(page, 'n0').click();
  await expect(inspector(page)).toContainText('It did not run again');
  await inspector(page)
    .getByRole('button', { name: /^run \d+$/ })
    .click();
  await expect(card(page, 'n0')).toHaveAccessibleName(/completed/);
});

/** A flow with a prompt, a node that writes its response, and an independent loop. */
const pointsFlow = `flow: { name: Points }
nodes:
  - { id: ask, type: prompt, config: { model: "scripted::points.yaml" }, input: { prompt: "Say it in ten points" } }
  - { id: write, type: file.write, input: { path: out.md, text: "{{ask.text}}" } }
  - { id: aside, type: echo, input: { text: beside } }
  - { id: never, type: echo, input: { text: at last }, when: { equals: { var: aside.text, value: other } } }
  - { id: append, type: file.write, input: { path: log.md, text: "{{aside.text}}" }, config: { mode: append } }
edges: [{ from: ask, to: write }, { from: aside, to: append }, { from: aside, to: never }]
`;
const pointsModel = `replies:
  - { match: five, reply: Grain goes in at five gates }
  - { match: ten, reply: Grain goes in at ten gates }
`;

test('edit, run from here, compare: the run is kept, changed nodes are stale, and one key reruns them', {
  tag: '@thorough',
}, async ({ program }) => {
  const files = { 'points.flow.yaml': pointsFlow, 'points.yaml': pointsModel };
  const { page } = await program.open(await program.makeTrustedWorkspace(files));
  await openFlow(page, 'points');
  await run(page);
  await expectRun(page, 'completed');
  await expect(runHeader(page).getByRole('button', { name: /^Run again( |$)/ })).toBeEnabled();
  await card(page, 'ask').click();
  await expect(inspector(page)).toContainText('at ten gates');

  await inspector(page).getByRole('tab', { name: 'Configure' }).click();
  const prompt = inspector(page).getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Say it in five points');
  await expect(card(page, 'ask')).toHaveAccessibleName(/stale/);
  await expect(card(page, 'write')).toHaveAccessibleName(/stale/);
  await expect(card(page, 'aside')).toHaveAccessibleName(/completed/);
  await expect(card(page, 'append')).toHaveAccessibleName(/completed/);
  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await expect(inspector(page)).toContainText('at ten gates');

  const from = Date.now();
  await page.keyboard.press('Control+Shift+Enter');
  const compared = inspector(page).getByRole('region', { name: 'Compared with the previous run' });
  await expect(compared.locator('del')).toHaveText('ten');
  await expect(compared.locator('ins')).toHaveText('five');
  expect(Date.now() - from).toBeLessThan(3000);
  await expect(card(page, 'ask')).toHaveAccessibleName(/completed/);
  await expect(card(page, 'write')).toHaveAccessibleName(/completed/);
  await expect(card(page, 'append')).toHaveAccessibleName(/reused/);

  await card(page, 'aside').click();
  await page.keyboard.press('Control+Shift+Enter');
  const question = page.getByRole('dialog');
  await expect(question).toContainText('append has effects outside the flow');
  await question.press('Escape');
  await expect(question).toHaveCount(0);

  await card(page, 'never').click();
  const why = page.getByRole('region', { name: 'Why: never' });
  await expect(why).toContainText('it was"beside"');
  await expectNoSeriousProblem(page, 'why a node did not run');
  await why.getByRole('button', { name: 'Run it anyway' }).click();
  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await expect(inspector(page)).toContainText('at last');
  await expect(why).toHaveCount(0);
});

/** A file is appended to after two nodes, so running that node alone has an effect. */
const lettersFlow = `flow: { name: Letters, input: { who: Ada } }
nodes:
  - { id: greet, type: echo, input: { text: "Hello {{flow.input.who}}" } }
  - { id: shout, type: echo, name: Shout it, input: { text: "{{greet.text}}!" } }
  - { id: keep, type: file.write, input: { path: log.md, text: "{{shout.text}}" }, config: { mode: append } }
edges: [{ from: greet, to: shout }, { from: shout, to: keep }]
`;

test('by keyboard: runs one node with requested inputs, pins its output, and runs the flow with the pin', {
  tag: '@thorough',
}, async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace({ 'letters.flow.yaml': lettersFlow }));
  await openFlow(page, 'letters');
  await page.keyboard.press('Control+Shift+O');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(inspector(page)).toContainText('Shout it');
  await page.keyboard.press('Control+Alt+Enter');
  const asks = page.getByRole('dialog', { name: 'Run Shout it alone' });
  const field = asks.getByRole('textbox', { name: 'greet.text' });
  await expect(field).toBeFocused();
  await field.press('Control+Enter');
  await expect(asks).toContainText('This value is required.');
  await page.keyboard.type('Hello you');
  await page.keyboard.press('Control+Enter');
  await expectRun(page, 'completed');
  await expect(runHeader(page)).toContainText('only Shout it');
  await expect(card(page, 'Shout it')).toHaveAccessibleName(/completed/);
  await expect(card(page, 'greet')).toHaveAccessibleName(/pinned/);
  await expect(card(page, 'keep')).toHaveAccessibleName('keep, file.write');

  await page.keyboard.press('p');
  await expect(card(page, 'Shout it')).toHaveAccessibleName(/completed, .*pinned/);
  // The shortcut that cancels a run must not start one.
  await expect(page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first()).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(runHeader(page)).toContainText('Run 2');
  await expect(runHeader(page)).toContainText('1 pinned');
  await expectRun(page, 'completed');
  await expect(card(page, 'Shout it')).toHaveAccessibleName('Shout it, echo, pinned');
  await page.keyboard.press('ArrowDown');
  await inspector(page).getByRole('tab', { name: 'Input' }).click();
  await expect(inspector(page)).toContainText('Hello you!');
  await showRuns(page);
  await expect(runList(page).getByRole('button', { name: /Run 1 / })).toContainText('only shout · 1 pinned');
  await expect(runList(page).getByRole('button', { name: /Run 2 / })).toContainText('1 pinned');

  await page.keyboard.press('Control+Alt+Enter');
  const confirm = page.getByRole('dialog', { name: 'Run keep alone' });
  await expect(confirm).toContainText('has effects outside the flow');
  await expectNoSeriousProblem(page, 'a node that acts outside, before it runs alone');
  await page.keyboard.press('Enter');
  await expect(runHeader(page)).toContainText('only keep');
});
