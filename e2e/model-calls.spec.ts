/** Follows the calls of a model with thinking and tools: while they stream, afterwards, and at an earlier moment. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type ModelServer, startModelServer } from '../engine/testing/model-server.ts';
import { expectNoneInBothThemes } from './axe.ts';
import { type Program, test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runCommand } from './window.ts';

const files = {
  'bees.flow.yaml': `flow: { name: Bees }
nodes:
  - id: ask
    type: prompt
    input: { system: Be short, prompt: How many bees are busy? }
    config: { tools: [core.file_read] }
edges: []
`,
  'notes.md': 'Three of the bees work.\n',
};

let server: ModelServer;
test.beforeEach(async () => {
  server = await startModelServer('openai-compatible');
});
test.afterEach(() => server.close());

/** Starts the flow with a model that thinks, reads a file, and then responds without an end. */
async function startRun(program: Program): Promise<Page> {
  const provider = `kind = "openai-compatible"\nbase_url = "${server.baseUrl}"\n`;
  const settings = `[options]\nmodel = "local::tiny"\n[providers.local]\n${provider}`;
  await writeFile(path.join(program.folders.home, 'config-user.toml'), settings);
  const read = { id: 'c1', name: 'core__file_read', text: '{"path":"notes.md"}' };
  server.plan(
    { thoughts: ['The notes know.'], pieces: ['Let me look.'], calls: [read], finish: 'calls' },
    { thoughts: ['Three, then.'], pieces: ['Three bees ', 'are busy. '], after: 'wait' },
  );
  const workspace = await program.makeTrustedWorkspace(files);
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'bees');
  await run(page);
  return page;
}

const callsIn = (page: Page) => inspector(page).getByRole('list', { name: 'Calls', exact: true });
const callIn = (page: Page, number: number) => callsIn(page).getByRole('listitem', { name: `Call ${number}` });

test('follows model calls by mouse: messages, thinking, tool calls, speed, and an earlier moment', async ({
  program,
}) => {
  const page = await startRun(program);
  await card(page, 'ask').click();
  await inspector(page)
    .getByRole('tab', { name: /^Messages/ })
    .click();
  const [first, second] = [callIn(page, 1), callIn(page, 2)];

  await test.step('the second call streams below the first one and its tool call', async () => {
    await expect(second).toContainText('Three bees are busy.');
    await expect(first).toContainText('How many bees are busy?');
    await expect(first).toContainText('Let me look.');
    await first.getByRole('button', { name: /^System/ }).click();
    await expect(first.getByRole('region', { name: 'System' })).toContainText('Be short');
    await first.getByRole('button', { name: /^Thinking/ }).click();
    await expect(first).toContainText('The notes know.');
    const tool = callsIn(page).getByRole('button', { name: /core\.file_read/ });
    await tool.click();
    await expect(callsIn(page)).toContainText('Three of the bees work.');
    await tool.click();
  });

  await test.step('the card and the call show the speed while it streams, and the tokens afterwards', async () => {
    await expect(async () => {
      server.received[1]?.proceed('body');
      await expect(card(page, 'ask')).toContainText(/tokens?\/s/, { timeout: 500 });
    }).toPass();
    await expect(second).toContainText(/streaming at \d+ tokens?\/s/);
    await expectNoneInBothThemes(page, 'a streaming model call', '.inspector');
    server.received[1]?.proceed('end');
    await expectRun(page, 'completed');
    await expect(second).toContainText('response 7 tokens');
    await expect(card(page, 'ask')).not.toContainText(/tokens?\/s/);
  });

  await test.step('at an earlier moment, there is what had arrived, with the events around it', async () => {
    await runCommand(page, 'Show the run before the last change of a node');
    await inspector(page).getByRole('tab', { name: 'Output' }).click();
    const around = inspector(page).getByRole('list', { name: 'Around this moment' });
    const asked = around.getByRole('button', { name: /^ask .*tiny/ }).first();
    await asked.click();
    await expect(asked).toHaveAttribute('aria-current', 'true');
  });
});

test('follows model calls by keyboard', async ({ program }) => {
  const page = await startRun(program);
  await page.getByRole('tree', { name: 'Outline of the flow' }).focus();
  for (const key of ['Home', 'Enter']) await page.keyboard.press(key);
  const messages = inspector(page).getByRole('tab', { name: /^Messages/ });
  await expect(messages).toBeVisible();
  await inspector(page).getByRole('tab', { name: 'Output' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(messages).toBeFocused();
  const system = callIn(page, 1).getByRole('button', { name: /^System/ });
  await expect(system).toBeVisible();
  // Past the button that widens the inspector, and the panel.
  for (let tabs = 0; tabs < 3; tabs++) {
    if (await system.evaluate((element) => element !== document.activeElement)) await page.keyboard.press('Tab');
  }
  await expect(system).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(callIn(page, 1).getByRole('region', { name: 'System' })).toContainText('Be short');
  await page.keyboard.press('Enter');
  await expect(system).toHaveAttribute('aria-expanded', 'false');
  // The second request may still be on its way.
  await expect(callIn(page, 2)).toContainText('Three bees are busy.');
  server.received[1]?.proceed('end');
  await expectRun(page, 'completed');
  await expect(callIn(page, 2)).toContainText('Three bees are busy.');
});

test('tries a node with other models, compares the runs in a table and takes a model over', async ({ program }) => {
  const provider = `kind = "openai-compatible"\nbase_url = "${server.baseUrl}"\n`;
  const settings = `[options]\nmodel = "local::tiny"\n[providers.local]\n${provider}`;
  await writeFile(path.join(program.folders.home, 'config-user.toml'), settings);
  server.plan(...['Few.', 'Three.', 'Three of them.'].map((answer) => ({ pieces: [answer] })));
  const workspace = await program.makeTrustedWorkspace({
    'bees.flow.yaml':
      'flow: { name: Bees }\nnodes:\n  - { id: ask, type: prompt, input: { prompt: How many bees are busy? }, config: { model: "local::tiny" } }\n  - { id: tell, type: echo, input: { text: "{{ask.text}}" } }\nedges: []\n',
  });
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'bees');
  await run(page);
  await expectRun(page, 'completed');

  await test.step('models are chosen by keyboard', async () => {
    await card(page, 'ask').click();
    await runCommand(page, 'Try other models…');
    const dialog = page.getByRole('dialog', { name: 'Try other models for ask' });
    await expect(dialog.getByRole('button', { name: 'Run with 0 models' })).toBeDisabled();
    for (const model of ['local::small', 'local::large']) {
      await page.getByRole('textbox', { name: /Find a model/ }).fill(model);
      await dialog.getByRole('checkbox', { name: model }).focus();
      await page.keyboard.press('Space');
    }
    await dialog.getByRole('button', { name: 'Run with 2 models' }).press('Enter');
  });
  const table = page.getByRole('region', { name: 'Runs of the flow' });

  await test.step('only that node ran with each model, and the table names the models', async () => {
    await expect(table).toContainText('3 runs');
    await expect(table).toContainText('local::small');
    await expect(table).toContainText('local::large');
    await expect(table).toContainText('Output of ask');
    expect(server.received.flatMap(({ body }) => body['model'] ?? [])).toEqual(['tiny', 'small', 'large']);
    await expectNoneInBothThemes(page, 'the table of runs with other models');
  });
  await test.step('a row opens on the canvas, and its model is taken over into the file', async () => {
    await table.getByRole('radio', { name: 'Compare the others with run 3' }).check();
    await table.getByRole('button', { name: 'Compare run 3 with run 1' }).click();
    await expect(inspector(page)).toContainText('config.model');
    await inspector(page).getByRole('button', { name: 'Use config.model of A again' }).click();
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => readFile(path.join(workspace, 'bees.flow.yaml'), 'utf8'))
      .toContain('model: "local::large"');
  });
});
