/** Tests editing agents as text: stages, completion, problems, and the preview of their prompts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { answerQuestions } from './main-process.ts';
import { type RunningProgram, test } from './program.ts';
import { openFile, runList, showRuns } from './window.ts';

const agent = `# Options

\`\`\`toml
model = "scripted::model.yaml"
\`\`\`

# Before All

\`\`\`lua
return aip.flow.before_all_response({ inputs = inputs or aip.file.list("notes/*.md") })
\`\`\`

# Data

\`\`\`lua
local note = aip.file.load(input.path).content
return { note = note }
\`\`\`

# Instruction

Write a title for this note: {{data.note}}
`;

const files = {
  'titles.aip': agent,
  'notes/mills.md': 'Wheels turn.',
  'notes/flour.md': 'It is white.',
  'model.yaml': 'replies:\n  - { match: Wheels, reply: Mills }\n  - { match: white, reply: Flour }\n',
  'titles.flow.yaml':
    'flow: { name: Titles }\nnodes:\n  - { id: all, type: agent, input: { agent: titles.aip } }\nedges: []\n',
};

async function openAgent(page: Page): Promise<void> {
  await openFile(page, 'titles.aip');
  // Wait until the code of the editor is loaded.
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Before All');
}

function stages(page: Page) {
  return page.getByRole('navigation', { name: 'Agent stages' });
}

function preview(page: Page) {
  return page.getByRole('complementary', { name: 'Rendered prompt' });
}

/** Previews run scripts of the agent. They run automatically only in a trusted workspace. */
async function trustWorkspace({ app, page }: RunningProgram): Promise<void> {
  await answerQuestions(app, 'Trust This Folder');
  await preview(page).getByRole('button', { name: 'Trust settings…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch', { name: 'Trust this workspace' }).click();
  await expect(dialog.getByRole('switch', { name: 'Trust this workspace' })).toBeChecked();
  await page.keyboard.press('Escape');
}

/** Moves the cursor to the end of a line that contains `text`. */
async function goToEnd(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor .view-line', { hasText: text }).click();
  await page.keyboard.press('End');
}

test('writing an agent offers completion, shows problems and previews its prompts', async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const { app, page } = await program.open(workspace);
  await openAgent(page);
  await expect(stages(page).getByRole('button', { name: /^Data Lua, 2 lines/ })).toBeVisible();
  await expect(stages(page).getByRole('button', { name: /titles\.flow\.yaml 1/ })).toBeVisible();
  const place = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(place).toHaveText(/titles\.aip.*Options.*used by 1 flow/);

  await trustWorkspace({ app, page });
  // The preview shows the prompt for each note that the agent finds.
  await expect(preview(page).getByRole('region', { name: 'Instruction' })).toContainText('It is white.');
  await preview(page).getByRole('combobox', { name: 'Which input' }).click();
  await page.getByRole('option', { name: 'notes/mills.md' }).click();
  await expect(preview(page).getByRole('region', { name: 'Instruction' })).toContainText('Wheels turn.');
  await expect(preview(page)).toContainText('2 of 2');

  // Completion inserts a function and then shows its parameters.
  await goToEnd(page, 'local note = ');
  await expect(place).toHaveText(/titles\.aip.*Data/);
  await page.keyboard.type('\nlocal words = aip.text.trim_s');
  const suggestion = page.locator('.suggest-widget .monaco-list-row', { hasText: 'trim_start' });
  await expect(suggestion).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('.parameter-hints-widget')).toContainText('aip.text.trim_start(');
  await page.keyboard.press('Escape');
  await page.keyboard.type('note');
  await expect(stages(page)).not.toContainText('Problems');

  // An error is marked, and the prompts stay visible.
  await page.keyboard.press('End');
  await page.keyboard.type(' =');
  await expect(stages(page)).toContainText('Lua syntax error');
  await expect(stages(page)).toContainText('Data');
  await expect(preview(page).getByRole('alert')).toContainText('in Data');
  await expect(preview(page).getByRole('region', { name: 'Instruction' })).toContainText('Wheels turn.');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await expect(stages(page)).not.toContainText('Problems');
  await expect(preview(page).getByRole('alert')).toHaveCount(0);

  // The preview runs the unsaved text on screen and does not create runs.
  await preview(page).getByRole('button', { name: 'Run with this input' }).click();
  await expect(page.getByRole('region', { name: /mills/ })).toContainText('Mills');
  expect(await readFile(path.join(workspace, 'titles.aip'), 'utf8')).toBe(agent);
  await showRuns(page);
  await expect(runList(page).getByRole('listitem')).toHaveCount(1);
});

test('adds a missing stage in its place, and undo removes it', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const { page } = await program.open(workspace);
  await openAgent(page);
  await stages(page).getByRole('button', { name: 'Add System' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('# System');
  await page.keyboard.press('Control+S');
  await expect
    .poll(() => readFile(path.join(workspace, 'titles.aip'), 'utf8'))
    .toBe(agent.replace('# Instruction', '# System\n\n\n# Instruction'));
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+S');
  await expect.poll(() => readFile(path.join(workspace, 'titles.aip'), 'utf8')).toBe(agent);
});

test('axe finds no serious problems in the agent editor', { tag: '@thorough' }, async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await openAgent(page);
  await preview(page).getByRole('button', { name: 'Render preview' }).click();
  await expect(preview(page).getByRole('region', { name: 'Instruction' }).locator('mark')).toHaveText('It is white.');
  await expectNoneInBothThemes(page, 'a rendered prompt');
});
