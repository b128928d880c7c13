/** Tests agents in the window: opening, running and inspecting them, and the child runs they start. */
import { expect, type Page } from '@playwright/test';
import { expectNoneInBothThemes, expectNoSeriousProblem } from './axe.ts';
import { type Files, test } from './program.ts';
import { card, expectRun, inspector, openFile, openFlow, run, runHeader, runList, showRuns } from './window.ts';

const noteAgent = `# Options

\`\`\`toml
model = "scripted::model.yaml"
\`\`\`

# Before All

\`\`\`lua
aip.run.pin("goal", 1, { label = "Goal", content = "Sum up\\nevery note" })
\`\`\`

# Data

\`\`\`lua
aip.task.set_label("Note " .. input)
return { note = input }
\`\`\`

# Instruction

Sum up: {{data.note}}

# Output

\`\`\`lua
return { summary = ai_response.content }
\`\`\`
`;

/** An agent that fails in its only script. */
const brokenAgent = '# Data\n\n```lua\nerror("no luck with " .. input)\n```\n';

/** The script needs a permission that only a trusted workspace has. The model of the other agent needs a key. */
const refusedAgent = '# Data\n\n```lua\nreturn aip.cmd.exec("ls", {})\n```\n';
const keylessAgent = '# Options\n\n```toml\nmodel = "openai::gpt-4o-mini"\n```\n\n# Instruction\n\nHi\n';

const digestFlow = `flow: { name: Digest }
nodes:
  - { id: sum, type: agent, input: { agent: agents/note.aip, inputs: [mills, flour] } }
edges: []
`;

const workspaceFiles: Files = {
  'agents/note.aip': noteAgent,
  'agents/broken.aip': brokenAgent,
  'agents/refused.aip': refusedAgent,
  'agents/keyless.aip': keylessAgent,
  'digest.flow.yaml': digestFlow,
  'model.yaml': 'replies:\n  - { match: mills, reply: Wheels turn. }\n  - { match: flour, reply: It is white. }\n',
};

async function openAgent(page: Page, name: string): Promise<void> {
  await openFile(page, `agents/${name}.aip`);
  const tab = page.getByRole('main', { name: `agents/${name}.aip` });
  // Wait until the text has been parsed.
  await expect(tab.getByRole('button', { name: 'Run Ctrl ⏎' }).first()).toBeEnabled();
}

/** Uses only the keyboard, from the shortcut that opens the dialog to the one that confirms it. */
async function runWith(page: Page, inputs: readonly string[]): Promise<void> {
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog');
  // The dialog appears after the newly opened text has been checked.
  await dialog.waitFor();
  for (const [index, text] of inputs.entries()) {
    if (index > 0) await dialog.getByRole('button', { name: 'Add input' }).press('Enter');
    await dialog.getByRole('textbox', { name: `Input ${index + 1}` }).fill(text);
  }
  await page.keyboard.press('Control+Enter');
  // The page of missing permissions may follow.
  await expect(dialog.getByRole('textbox', { name: 'Input 1' })).toHaveCount(0);
}

function inputs(page: Page) {
  return page.getByRole('list', { name: 'Inputs' }).getByRole('listitem');
}

test('runs an agent with two inputs and shows its pins, inputs and outputs, also from the history', async ({
  program,
}) => {
  const { page } = await program.open(await program.makeWorkspace(workspaceFiles));
  await openAgent(page, 'note');
  await expect(page.locator('.monaco-editor')).toContainText('Before All');
  await runWith(page, ['mills', 'flour']);
  await expectRun(page, 'completed');
  await expect(runHeader(page)).toContainText('2 of 2 inputs');
  await expect(page.getByRole('list', { name: 'Pins' })).toContainText('Sum up\nevery note');
  await expect(inputs(page)).toHaveText([/^Note mills/, /^Note flour/]);
  await inputs(page).nth(1).getByRole('button').click();
  await expect(page.getByRole('region', { name: 'Note flour' })).toContainText('It is white.');

  await page.keyboard.press('r');
  await expect(runHeader(page)).toContainText('redo');
  await expectRun(page, 'completed');
  await page.keyboard.press('Control+w');
  await showRuns(page);
  await page.getByRole('radio', { name: 'All' }).click();
  await runList(page).getByRole('listitem').last().getByRole('button').click();
  await expect(inputs(page)).toHaveText([/^Note mills/, /^Note flour/]);
});

test('errors that a setting can fix link to that setting', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace(workspaceFiles);
  const { page } = await program.start(['--workspace', workspace], { env: { OPENAI_API_KEY: '' } });
  for (const [agent, button] of [
    ['refused', 'Open trust settings'],
    ['keyless', 'Open model settings'],
  ] as const) {
    await openAgent(page, agent);
    await runWith(page, []);
    if (agent === 'refused') {
      const needs = page.getByRole('dialog', { name: 'This agent needs your permission' });
      await expect(needs).toContainText('scripts of agents/refused.aip that call aip.cmd');
      await needs.getByRole('button', { name: 'Run without' }).click();
    }
    await expectRun(page, 'failed');
    await page.getByRole('main').getByRole('button', { name: button }).first().click();
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('axe finds no serious problems in runs of agents', { tag: '@thorough' }, async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(workspaceFiles));
  await openAgent(page, 'note');
  await runWith(page, ['mills']);
  await expectRun(page, 'completed');
  await expectNoneInBothThemes(page, 'a run of an agent');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoneInBothThemes(page, 'the question for inputs');
  await page.keyboard.press('Escape');
  await openAgent(page, 'broken');
  await runWith(page, ['this']);
  await expectRun(page, 'failed');
  await expect(page.getByRole('region', { name: 'this' })).toContainText('no luck with this');
  await expectNoneInBothThemes(page, 'a run that failed');
});

test('a flow that runs an agent links to its run and its file', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(workspaceFiles));
  await openFlow(page, 'digest');
  await run(page);
  await expectRun(page, 'completed');
  await card(page, 'sum').click();
  await inspector(page).getByRole('region', { name: 'Runs' }).getByRole('button').click();
  await expect(page.getByRole('list', { name: 'Pins' })).toContainText('Sum up\nevery note');
  await expect(page.getByRole('region', { name: 'Note mills' })).toContainText('Wheels turn.');
  await expectNoSeriousProblem(page, 'the run of an agent in a flow');
  await page.getByRole('button', { name: 'Back to Digest' }).click();
  await expect(card(page, 'sum')).toBeVisible();
  await inspector(page).getByRole('button', { name: 'Open agent' }).click();
  await expect(page.getByRole('main', { name: 'agents/note.aip' })).toBeVisible();
});
