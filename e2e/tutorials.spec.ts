/**
 * Follows the tutorial "Your first flow" with mouse and keyboard. Each numbered step of the page has one action here, so
 * a change of the page is a change of this test.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { millraceAt } from './command-line.ts';
import { openPalette } from './hand.ts';
import { drag, middlesOf } from './pointer.ts';
import { type Program, test } from './program.ts';
import { card, expectRun, fileRow, inspector } from './window.ts';

const pageFile = path.join(import.meta.dirname, '../docs/get-started/first-flow.md');

/** A numbered step of a page: its title and its text up to the next heading. */
interface Step {
  readonly title: string;
  readonly text: string;
}

async function readSteps(file: string): Promise<readonly Step[]> {
  const sections = (await readFile(file, 'utf8')).split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const [, title] = /^\d+\. (.*)/.exec(section) ?? [];
    return title === undefined ? [] : [{ title, text: section.replace(/<!--[\s\S]*?-->/g, '') }];
  });
}

/** Returns the content of the block that the step tells the reader to save under this name. */
function fileIn({ text }: Step, name: string): string {
  const [, content] = text.split('```yaml file=')[1]?.match(new RegExp(`^${name}\n([\\s\\S]*?)\`\`\``)) ?? [];
  if (content === undefined) throw new Error(`The step has no block for ${name}.`);
  return content;
}

/** Runs the commands of the step in the workspace, and expects their exit codes. */
async function runCommandsOf({ text }: Step, workspace: string, home: string): Promise<void> {
  for (const [, exit = '0', command = ''] of text.matchAll(/```sh(?: exit=(\d+))?\nmillrace (.*)\n```/g)) {
    const { code, out, errors } = await millraceAt(command.split(' '), { folder: workspace, home });
    expect({ code, out, errors }).toEqual({ code: Number(exit), out: expect.any(String), errors: [] });
  }
}

async function fitInView(page: Page): Promise<void> {
  await page.getByRole('toolbar', { name: 'Canvas' }).getByRole('button', { name: 'Fit the flow in view' }).click();
}

class FirstFlow {
  readonly #program: Program;
  readonly workspace: string;
  #page: Page | undefined;

  constructor(program: Program) {
    this.#program = program;
    this.workspace = path.join(program.folders.scratch, 'my-flows');
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('The window is not open yet.');
    return this.#page;
  }

  async open(step: Step): Promise<void> {
    await mkdir(this.workspace);
    await writeFile(path.join(this.workspace, 'model.yaml'), fileIn(step, 'model.yaml'));
    this.#page = (await this.#program.start(['--workspace', this.workspace])).page;
    await expect(fileRow(this.page, 'model.yaml')).toBeVisible();
  }

  /** Clicks a `+`, types what the tutorial says, and presses Enter. */
  async add(button: string, words: string, node?: string): Promise<void> {
    await openPalette(this.page, button, node);
    await this.page.keyboard.type(words);
    await expect(this.page.locator('.node-palette-row[aria-selected="true"]')).toBeVisible();
    await this.page.keyboard.press('Enter');
  }

  /** Clicks into a field of the inspector, selects its content and types a text. */
  async replace(field: string, text: string): Promise<void> {
    await inspector(this.page).getByRole('textbox', { name: field, exact: true }).click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }
}

type Action = (tutorial: FirstFlow, step: Step) => Promise<void>;

const inTerminal: Action = ({ workspace }, step) => runCommandsOf(step, workspace, path.join(workspace, '../home'));

const actions: Readonly<Record<string, Action>> = {
  'Open an empty folder': (tutorial, step) => tutorial.open(step),
  'Create a flow': async ({ page }) => {
    await page.keyboard.press('Control+n');
    await expect(page.getByRole('dialog', { name: 'New' }).getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Reply');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main', { name: 'reply.flow.yaml' })).toBeVisible();
  },
  'Add an input': async ({ page }) => {
    await inspector(page).getByRole('button', { name: 'Add an input' }).click();
    await page.keyboard.type('message');
    await page.keyboard.press('Enter');
    await expect(inspector(page).getByLabel('Default of message')).toBeFocused();
    await page.keyboard.type('My lamp arrived broken.');
    await page.keyboard.press('Enter');
  },
  'Ask a model': async (tutorial) => {
    const { page } = tutorial;
    await tutorial.add('Add the first node', 'prompt');
    await tutorial.replace('Prompt', 'Write a short reply to this customer: {{flow.input.message}}');
    await inspector(page).getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: 'scripted::model.yaml' }).click();
  },
  'Add a branch': async (tutorial) => {
    const { page } = tutorial;
    await tutorial.add('Add a node after prompt', 'if', 'prompt');
    await inspector(page).getByRole('combobox', { name: 'Path' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('prompt.text');
    await page.keyboard.press('Enter');
    await inspector(page).getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: 'contains', exact: true }).click();
    await inspector(page).getByPlaceholder('value').click();
    await page.keyboard.type('refund');
    await page.keyboard.press('Enter');
  },
  'Ask a person': async (tutorial) => {
    const { page } = tutorial;
    await tutorial.add('Add a node after true of if', 'approval', 'if');
    await tutorial.replace('Title', 'Send this reply?');
    await inspector(page).getByRole('button', { name: 'Message', exact: true }).click();
    await expect(inspector(page).getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
    await page.keyboard.type('{{prompt.text}}');
  },
  'Save the reply to a file': async (tutorial) => {
    const { page } = tutorial;
    await tutorial.add('Add a node after approved of human_approval', 'write file', 'human_approval');
    await tutorial.replace('Text', '{{prompt.text}}');
    await fitInView(page);
    const handle = page.locator('.react-flow__handle[data-handleid="if:false"]');
    await drag(page, await middlesOf(handle, card(page, 'file_write')));
  },
  'Save the flow': async ({ page, workspace }, step) => {
    await page.keyboard.press('Control+s');
    const file = path.join(workspace, 'reply.flow.yaml');
    await expect.poll(() => readFile(file, 'utf8')).toBe(fileIn(step, 'reply.flow.yaml'));
    await page.getByRole('radio', { name: 'Split' }).click();
    await expect(page.locator('.monaco-editor .view-lines').first()).toContainText('scripted::model.yaml');
    await page.getByRole('radio', { name: 'Canvas' }).click();
    await fitInView(page);
  },
  'Run it': async ({ page }) => {
    await page.keyboard.press('Control+Enter');
    await expect(card(page, 'prompt')).toBeInViewport();
    await expectRun(page, 'waiting for you');
  },
  Approve: async ({ page, workspace }) => {
    await page
      .getByRole('list', { name: /^Open requests/ })
      .getByRole('button', { name: 'Review' })
      .click();
    const question = inspector(page).getByRole('region', { name: 'Send this reply?' });
    await expect(question).toContainText('We will refund the full price today.');
    await question.getByRole('button', { name: /^Approve/ }).click();
    await expectRun(page, 'completed');
    await expect(page.getByRole('button', { name: 'Open out/result.txt' })).toBeVisible();
    expect(await readFile(path.join(workspace, 'out/result.txt'), 'utf8')).toContain('Dear Ada, we are sorry');
  },
  'Record a cassette': inTerminal,
  'Run without a model': async (tutorial, step) => {
    await rm(path.join(tutorial.workspace, 'model.yaml'));
    await inTerminal(tutorial, step);
  },
  'Use a real model': async ({ page }) => {
    const outline = page.getByRole('tree', { name: 'Outline of the flow' });
    await outline.getByRole('treeitem', { name: /^prompt / }).click();
    await inspector(page).getByRole('tab', { name: 'Configure' }).click();
    await inspector(page).getByRole('combobox', { name: 'Model', exact: true }).click();
    await expect(page.getByRole('option', { name: /^Set up a model…/ })).toBeVisible();
  },
};

test('a new user draws, runs and records the first flow word for word', async ({ program }) => {
  const steps = await readSteps(pageFile);
  expect(steps.map(({ title }) => title)).toEqual(Object.keys(actions));
  const tutorial = new FirstFlow(program);
  for (const step of steps) {
    await test.step(step.title, async () => {
      await actions[step.title]?.(tutorial, step);
    });
  }
});
