/**
 * Tests that a run is shown as it was at earlier moments, by mouse and by keyboard, and runs again from one of them.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, openFlow, run, runCommand, runHeader } from './window.ts';

const lettersFlow = `flow: { name: Letters }
nodes:
  - { id: collect, type: echo, input: { text: names } }
  - { id: each, type: control.foreach, input: { items: [Ann, Bo, Cem], as: who, body: [rest, write] } }
  - { id: rest, type: control.wait, input: { ms: 500 } }
  - { id: write, type: echo, input: { text: "Dear {{who}}" } }
  - { id: sign, type: flow, input: { flow: sign.flow.yaml } }
edges:
  - { from: collect, to: each }
  - { from: rest, to: write }
  - { from: each, to: sign }
`;
const signFlow = `flow: { name: Sign }
nodes:
  - { id: pen, type: echo, input: { text: Yours } }
edges: []
`;
const files = { 'letters.flow.yaml': lettersFlow, 'sign.flow.yaml': signFlow };
/** The waits leave enough time to pause the run. */
const slowFiles = { ...files, 'letters.flow.yaml': lettersFlow.replace('ms: 500', 'ms: 3000') };

function playhead(page: Page): Locator {
  return page.getByRole('slider', { name: 'Moment of the run' });
}

/** The status bar, which shows the number of the event. */
function status(page: Page): Locator {
  return page.locator('.status-bar');
}

/** Returns the point of the scale above the middle of the first bar of a node. */
async function overBar(page: Page, node: string): Promise<{ readonly x: number; readonly y: number }> {
  const row = page.locator('.timeline-row').filter({ hasText: node }).first();
  const [bar, scale] = await Promise.all([
    row.locator('.timeline-bar').first().boundingBox(),
    page.locator('.timeline-scale').boundingBox(),
  ]);
  if (bar === null || scale === null) throw new Error('The timeline is not visible.');
  return { x: bar.x + bar.width / 2, y: scale.y + scale.height / 2 };
}

async function dragPlayhead(page: Page, to: { readonly x: number; readonly y: number }): Promise<void> {
  await playhead(page).hover();
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
}

test('a click and a drag show earlier moments in every view, and the run starts again from one of them', async ({
  program,
}) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await openFlow(page, 'letters');
  await run(page);
  await expectRun(page, 'completed');

  const during = await overBar(page, 'rest');
  await page.mouse.click(during.x, during.y);
  await expect(runHeader(page)).toContainText(/Showing .*Run 1.*of .*, completed/);
  await expect(page.locator('.flow-canvas')).toHaveAttribute('data-past', 'true');
  await expect(card(page, 'collect')).toHaveAccessibleName(/completed/);
  await expect(card(page, 'each')).toHaveAccessibleName(/of 3/);
  await expect(card(page, 'sign')).toHaveAccessibleName(/queued/);
  await expect(page.getByRole('treeitem', { name: /^sign.*queued/ })).toBeVisible();
  await expect(status(page)).toContainText(/Showing .*, event \d+ of \d+/);
  await page.getByRole('tab', { name: 'Outputs' }).last().click();
  await expect(page.getByText('Outputs of the last nodes appear here', { exact: false })).toBeVisible();
  await page.getByRole('tab', { name: /^Log/ }).click();
  await expect(page.locator('.run-log-line[data-moment="shown"]')).toHaveCount(1);
  await expect(page.locator('.run-log-line[data-moment="later"]').first()).toBeVisible();

  await page.getByRole('tab', { name: 'Timeline' }).click();
  const end = await page.locator('.timeline-now').boundingBox();
  await dragPlayhead(page, { x: (end?.x ?? 0) + (end?.width ?? 0) + 10, y: during.y });
  await expect(card(page, 'sign')).toHaveAccessibleName(/completed/);
  await expect(page.locator('.flow-canvas')).not.toHaveAttribute('data-past', 'true');
  await dragPlayhead(page, during);
  await expect(card(page, 'sign')).toHaveAccessibleName(/queued/);

  await runHeader(page)
    .getByRole('button', { name: /^Run again from here/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Run again from this moment?' });
  await expect(dialog.getByRole('listitem').filter({ hasText: 'collect' })).toContainText('reuse');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'sign' })).toHaveAttribute('data-fate', 'runs');
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await expectRun(page, 'completed');
  await expect(runHeader(page)).toContainText('Run 2');
  await expect(card(page, 'collect')).toHaveAccessibleName(/reused/);
  await expect(card(page, 'sign')).toHaveAccessibleName(/completed/);
});

test('keys lead through events and nodes, also while the run continues and in the run of a called flow', async ({
  program,
}) => {
  const { page } = await program.open(await program.makeWorkspace(slowFiles));
  await openFlow(page, 'letters');
  await run(page);
  await expect(card(page, 'each')).toHaveAccessibleName(/of 3/);
  await page.keyboard.press('F5');
  await expectRun(page, 'paused before');
  await runCommand(page, 'Show the first event of the run');
  await expect(runHeader(page)).toContainText(/Showing .*paused/);
  await expect(card(page, 'collect')).toHaveAccessibleName(/queued/);
  // The run continues, and the moment stays.
  await page.keyboard.press('F5');
  await expect(runHeader(page)).toContainText(/Showing .*completed/);
  await expect(card(page, 'collect')).toHaveAccessibleName(/queued/);
  await expect(status(page)).toContainText(/event 1 of/);

  await playhead(page).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(card(page, 'collect')).toHaveAccessibleName(/completed/);
  const [, number = '0'] = /event (\d+)/.exec((await status(page).textContent()) ?? '') ?? [];
  await page.keyboard.press('ArrowLeft');
  await expect(status(page)).toContainText(`event ${Number(number) - 1} of`);
  await expect(card(page, 'collect')).toHaveAccessibleName(/running/);
  await page.keyboard.press('End');
  await expectRun(page, 'completed');
  await expect(playhead(page)).toHaveAccessibleName('Moment of the run');

  await runCommand(page, 'Show the run before the last change of a node');
  await runCommand(page, 'Show the run before the last change of a node');
  await card(page, 'sign').click();
  await page.keyboard.press('Control+ArrowDown');
  await expect(page.getByRole('application', { name: /sign\.flow\.yaml/ })).toBeVisible();
  await expect(runHeader(page)).toContainText(/Showing/);
  await expect(card(page, 'pen')).toHaveAccessibleName(/running|completed/);
  await page.keyboard.press('End');
  await expectRun(page, 'completed');
  await expect(card(page, 'pen')).toHaveAccessibleName(/completed/);
});
