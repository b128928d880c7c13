/**
 * Walks through the main surfaces of a window in any language: by shortcuts and elements, never by labels.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type Files, type Program, type RunningProgram, test } from './program.ts';
import { openFile } from './window.ts';

const examples = path.join(import.meta.dirname, '../resources/workspace');

/** The size of a small screen, at which all text must fit. */
export const smallWindow = { width: 1024, height: 700 };

/** Has a node of each kind of inspector, and ends waiting for two people. Its texts are single words. */
const millFlow = `flow:
  name: Mill
  inputs:
    grain: { type: string, default: rye }
    sacks: { type: integer, default: 3 }
nodes:
  - id: think
    type: prompt
    config: { model: "scripted::model.yaml" }
    input: { prompt: "{{flow.input.grain}}" }
  - id: route
    type: control.switch
    input: { value: rye, cases: [{ route: coarse, when: { equals: { var: value, value: rye } } }] }
  - { id: skipped, type: echo, input: { text: fine }, when: { equals: { var: flow.input.grain, value: oats } } }
  - { id: boom, type: control.fail, input: { message: stuck }, policy: { continueOnError: true } }
  - id: each
    type: control.foreach
    input: { items: [0, 1, 2], as: row, body: [say, check], tolerate: true }
  - { id: say, type: echo, input: { text: "{{row}}" } }
  - { id: check, type: control.fail, input: { message: spilt }, when: { equals: { var: row, value: 2 } } }
  - { id: shout, type: http.request, input: { url: "http://127.0.0.1:9/", method: POST }, disabled: true }
  - { id: gate, type: human_approval, input: { title: Ship?, params: { to: all }, recommended: approve } }
  - id: who
    type: user_input
    input:
      title: Buyer?
      schema: { type: object, required: [name], properties: { name: { type: string }, size: { type: string, enum: [small, large] } } }
edges:
  - { from: think, to: route }
  - { from: route, to: each }
  - { from: route, to: skipped }
  - { from: route, to: boom }
  - { from: say, to: check }
  - { from: each, to: gate }
  - { from: each, to: who }
  - { from: gate, to: shout, when: { equals: { var: gate.route, value: approved } } }
`;

const noteAgent = `# Options

\`\`\`toml
model = "scripted::model.yaml"
\`\`\`

# Instruction

Mill {{input}}
`;

const files: Files = {
  'mill.flow.yaml': millFlow,
  'broken.flow.yaml': 'flow: { name: Broken }\nnodes:\n  - { id: a, type: nope, input: {} }\nedges: []\n',
  'note.aip': noteAgent,
  'model.yaml': 'replies:\n  - { match: ".", reply: Flour }\n',
};

/** Starts the program in a language with a flow, an agent and the catalog of a conversation. */
export async function startIn(
  program: Program,
  language: 'de' | 'pseudo',
  { width, height }: { readonly width: number; readonly height: number },
): Promise<RunningProgram> {
  const workspace = await program.makeTrustedWorkspace(files);
  for (const folder of ['support-desk', 'tools']) {
    await cp(path.join(examples, folder), path.join(workspace, folder), { recursive: true });
  }
  const settings = {
    windowBounds: { x: 0, y: 0, width, height, isMaximized: false },
    preferences: { language: language === 'pseudo' ? 'en' : language },
  };
  await mkdir(program.folders.userData, { recursive: true });
  await writeFile(path.join(program.folders.userData, 'settings.json'), JSON.stringify(settings));
  const env = language === 'pseudo' ? { MILLRACE_LANGUAGE: 'pseudo' } : {};
  return program.start(['--workspace', workspace], { env });
}

/** Called at each surface with a name for messages. */
type Visit = (surface: string) => Promise<void>;

type Walk = (page: Page, visit: Visit) => Promise<void>;

/** Closes the dialog or list that is in front. */
async function closeFront(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function visitTabs(page: Page, place: string, visit: Visit): Promise<void> {
  const tabs = page.locator(place).getByRole('tab');
  for (let index = 0; index < (await tabs.count()); index++) {
    await tabs.nth(index).click();
    // The text "Loading" is the only one that replaces a whole tab.
    await expect(page.locator('[role="tabpanel"][data-state="active"] > p.settings-part')).toHaveCount(0);
    await visit(`${place}, tab ${index + 1}`);
  }
}

/** Opens a file from the tree, which is hidden in a small window. */
async function openIn(page: Page, file: string): Promise<void> {
  const tree = page.locator('.workspace-tree [role="tree"]');
  if (!(await tree.isVisible())) await page.keyboard.press('Control+Shift+E');
  await openFile(page, file);
  await expect(page.getByRole('main', { name: file })).toBeVisible();
}

async function visitNode(page: Page, id: string, visit: Visit): Promise<void> {
  // Panels of a small window may cover the card.
  await page.locator(`.react-flow__node[data-id="${id}"]`).dispatchEvent('click');
  await expect(page.locator('.inspector-tabs')).toBeVisible();
  await visit(`inspector of ${id}`);
}

const visitFlow: Walk = async (page, visit) => {
  await openIn(page, 'mill.flow.yaml');
  await expect(page.locator('.react-flow__node[data-id="who"]')).toBeVisible();
  await visit('a flow');
  await visitNode(page, 'think', visit);
  await visitTabs(page, '.inspector', visit);
  for (const id of ['route', 'each', 'shout', 'gate', 'who']) await visitNode(page, id, visit);
  await page.keyboard.press('Control+Shift+Alt+Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await visit('the run dialog');
  await closeFront(page);
};

const visitRun: Walk = async (page, visit) => {
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('.run-pill[data-state="suspended"]')).toBeVisible();
  await page.keyboard.press('Escape');
  await visitTabs(page, '.run-dock', visit);
  for (const id of ['think', 'boom', 'skipped', 'each', 'check', 'gate']) await visitNode(page, id, visit);
  await visitTabs(page, '.inspector', visit);
};

const visitSides: Walk = async (page, visit) => {
  for (const key of ['F', 'H', 'Y']) {
    await page.keyboard.press(`Control+Shift+${key}`);
    await visit(`side panel of Ctrl+Shift+${key}`);
  }
  await page.keyboard.press('Control+Shift+X');
  const packs = page.locator('.packs-panel');
  await expect(packs.locator('.pack-row').first()).toBeVisible();
  await visit('packs');
  await packs.locator('.pack-row').first().click();
  await expect(page.locator('.dialog .pack-readme p:not(.pack-folder)').first()).toBeVisible();
  await visit('a pack');
  await closeFront(page);
  await packs.locator('.packs-actions').getByRole('button').first().click();
  await visit('the installation of a pack');
  await closeFront(page);
  await page.keyboard.press('Control+Shift+E');
};

const visitDialogs: Walk = async (page, visit) => {
  await page.keyboard.press('Control+,');
  await expect(page.locator('.settings')).toBeVisible();
  await visitTabs(page, '.settings', visit);
  await closeFront(page);
  for (const keys of ['Control+Shift+P', 'Control+P', 'Control+N']) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog')).toBeVisible();
    await visit(`dialog of ${keys}`);
    await closeFront(page);
  }
};

const visitBroken: Walk = async (page, visit) => {
  await openIn(page, 'broken.flow.yaml');
  await page.keyboard.press('Control+Shift+M');
  await expect(page.locator('.problem').first()).toBeVisible();
  await visit('problems');
  await page.keyboard.press('F4');
  await expect(page.locator('.monaco-editor .view-lines').first()).toContainText('Broken');
  await visit('the text of a flow');
};

const visitAgent: Walk = async (page, visit) => {
  await openIn(page, 'note.aip');
  await visit('an agent');
  await page.keyboard.press('Control+Shift+Alt+Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await visit('the run dialog of an agent');
  await closeFront(page);
};

const visitConversation: Walk = async (page, visit) => {
  await openIn(page, 'support-desk/support.dialogue.yaml');
  await page.locator('[data-flow="refund"]').click();
  await visit('a catalog');
  await page.locator('.segmented').first().getByRole('radio').last().click();
  await page.locator('.composer-field').fill('refund AB-12');
  await page.keyboard.press('Enter');
  await expect(page.locator('.slot-form')).toBeVisible();
  await visit('a conversation');
};

const walks: Readonly<Record<string, Walk>> = {
  'a flow': visitFlow,
  'a run': visitRun,
  'side panels': visitSides,
  dialogs: visitDialogs,
  'broken file': visitBroken,
  agent: visitAgent,
  conversation: visitConversation,
};

/** Shows one surface after the other in a window of `startIn`. */
export async function walkSurfaces(page: Page, visit: Visit): Promise<void> {
  await expect(page.locator('.canvas-bar')).toBeVisible();
  for (const [name, walk] of Object.entries(walks)) await test.step(name, () => walk(page, visit));
}
