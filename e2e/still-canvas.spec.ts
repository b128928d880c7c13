/** Tests that the canvas does not move while the user works on it and while it runs. */
import { expect, type Page } from '@playwright/test';
import { cardOf, openCanvas } from './edited-flow.ts';
import { test } from './program.ts';
import { expectRun, run } from './window.ts';

const longName = 'Collect last week notes';
const flow = `flow: { name: Hand, description: Waits for a moment }
nodes:
  - { id: first, type: echo, name: "${longName}", input: { text: hi } }
  - { id: pause, type: control.wait, input: { ms: 1500 } }
  - { id: last, type: echo, input: { text: "{{first.text}}" } }
edges:
  - { from: first, to: pause }
  - { from: pause, to: last }
`;

/** Returns the positions of the cards on the screen. */
async function places(page: Page, ids = ['first', 'pause', 'last']): Promise<string> {
  const boxes = await Promise.all(ids.map((id) => cardOf(page, id).boundingBox()));
  return boxes.map((box) => `${Math.round(box?.x ?? 0)} ${Math.round(box?.y ?? 0)}`).join(', ');
}

async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await expect.poll(() => page.evaluate(() => `${innerWidth} ${innerHeight}`)).toBe(`${width} ${height}`);
}

test('cards do not move when a run starts and ends, a node is added or a syntax error is typed', async ({
  program,
}) => {
  const { page } = await openCanvas(program, flow);
  await expect(cardOf(page, 'last')).toBeVisible();
  const before = await places(page);
  await run(page);
  await expectRun(page, 'running');
  expect(await places(page)).toBe(before);
  const title = cardOf(page, 'first').locator('.node-card-title');
  expect(await title.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await expectRun(page, 'completed');
  expect(await places(page)).toBe(before);

  await cardOf(page, 'last').click();
  await page.keyboard.press('n');
  await page.keyboard.type('echo');
  await page.keyboard.press('Enter');
  await expect(page.locator('.react-flow__node [data-card]')).toHaveCount(4);
  expect(await places(page)).toBe(before);
  await expect(page.getByRole('button', { name: 'Show selected node' })).toBeVisible();

  await page.getByRole('radio', { name: 'Split', exact: true }).click();
  await page.locator('.monaco-editor .view-lines').first().waitFor();
  const inSplit = await places(page, ['first']);
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('{ ');
  await expect(page.getByText('Showing the last valid text.')).toBeVisible();
  expect(await places(page, ['first'])).toBe(inSplit);
});

test('at 1024 x 700 the canvas has at least 55 % of the height with the default dock, also during a run', async ({
  program,
}) => {
  const { page } = await openCanvas(program, flow);
  await resize(page, 1024, 700);
  const canvas = page.locator('.flow-canvas > .react-flow');
  const share = async (): Promise<number> => ((await canvas.boundingBox())?.height ?? 0) / 700;
  await page.keyboard.press('Control+j');
  await expect(page.getByRole('region', { name: 'Run details' })).toBeVisible();
  expect(await share()).toBeGreaterThanOrEqual(0.55);
  await run(page);
  await expectRun(page, 'completed');
  expect(await share()).toBeGreaterThanOrEqual(0.55);
});

test('quick open goes from one node to another by keyboard, and the side panel of a narrow window closes', async ({
  program,
}) => {
  const { page } = await openCanvas(program, flow);
  await cardOf(page, 'first').click();
  await page.keyboard.press('ArrowRight');
  await expect(cardOf(page, 'pause')).toBeFocused();
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox').fill('last');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'last')).toBeFocused();
  await expect(cardOf(page, 'last')).toHaveAttribute('aria-pressed', 'true');
  await expect(cardOf(page, 'pause')).toHaveAttribute('aria-pressed', 'false');

  await resize(page, 1024, 700);
  const side = page.locator('.side-panel');
  await expect(side).toHaveCount(0);
  await page.getByRole('button', { name: 'Files' }).click();
  await expect(side).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(side).toHaveCount(0);
  await page.getByRole('button', { name: 'Files' }).click();
  await expect(side).toBeVisible();
  await cardOf(page, 'last').click();
  await expect(side).toHaveCount(0);
});
