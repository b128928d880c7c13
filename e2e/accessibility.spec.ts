/** Runs axe on the most different states of the window in both themes, and checks for clipped focus rings. */
import { expect, type Page } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { loopFlow, switchFlow } from './flows.ts';
import { killEngine } from './main-process.ts';
import { test } from './program.ts';
import { startSilentServer } from './silent-server.ts';
import { card, expectRun, openFlow, run, runCommand, runHeader, showProblems, showRuns } from './window.ts';

const brokenFlow = 'flow: { name: Broken }\nnodes:\n  - { id: a, type: nope, input: {} }\nedges: []\n';
/** A flow with a tolerated failure and a skipped node. */
const mixedFlow = `flow: { name: Mixed }
nodes:
  - { id: boom, type: control.fail, input: { message: no }, policy: { continueOnError: true } }
  - { id: never, type: echo, input: { text: hi }, when: { equals: { var: flow.input.x, value: 1 } } }
  - { id: off, type: echo, input: { text: hi }, disabled: true }
edges:
  - { from: boom, to: never }
`;

/** Returns what clips the ring of the focused element, such as an ancestor that scrolls. Empty if nothing does. */
function cutOfRing(): string {
  const focused = document.activeElement ?? document.body;
  // The canvas is a viewport into a larger area, and a splitter spans its container.
  if (focused.closest('.react-flow, [role="separator"]') !== null) return '';
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
  const reach = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  const { left, top, right, bottom } = focused.getBoundingClientRect();
  for (let box = focused.parentElement; box !== null && box !== document.body; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const outer = box.getBoundingClientRect();
    const x = outer.left + box.clientLeft;
    const y = outer.top + box.clientTop;
    const isCutAcross = left - reach < x - 0.5 || right + reach > x + box.clientWidth + 0.5;
    const isCutAlong = top - reach < y - 0.5 || bottom + reach > y + box.clientHeight + 0.5;
    if ((overflowX !== 'visible' && isCutAcross) || (overflowY !== 'visible' && isCutAlong)) {
      const name = focused.getAttribute('aria-label') ?? focused.textContent;
      return `${focused.tagName} "${name}" by "${box.className}"`;
    }
  }
  return '';
}

/**
 * Expects a listbox drawn by the program in theme colors, with the selected row distinguishable in forced colors mode.
 */
async function expectOwnList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Policy', exact: true }).click();
  const field = page.getByRole('combobox', { name: 'Continue when this node fails' });
  await field.press('ArrowDown');
  const list = page.getByRole('listbox', { name: 'Continue when this node fails' });
  await expect(list.getByRole('option').first()).toBeFocused();
  // The page behind the list is hidden from screen readers, as behind a menu, so only the list is checked.
  await expectNoneInBothThemes(page, 'a list of choices', '.select-list');
  await page.emulateMedia({ forcedColors: 'active' });
  const [active, other] = await list
    .getByRole('option')
    .evaluateAll((rows) => rows.map((row) => getComputedStyle(row).backgroundColor));
  expect(active).not.toBe(other);
  await page.emulateMedia({ forcedColors: 'none' });
  await page.keyboard.press('Escape');
  await expect(field).toBeFocused();
}

/** Returns the name of the focused element if nothing shows that it has the focus. Empty otherwise. */
function missingRing(): string {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused.closest('.react-flow') !== null) return '';
  // A list shows the focus at its active row. A composite field shows it on its container.
  const places = [focused, focused.parentElement, ...focused.querySelectorAll('[data-active]')];
  const isShown = places.some((place) => {
    if (place === null) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(place);
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  });
  return isShown
    ? ''
    : `${focused.tagName}.${focused.className} "${focused.getAttribute('aria-label') ?? ''}" has no ring`;
}

/** Moves through the controls with Tab and expects a visible, unclipped focus ring on each. */
async function expectWholeRings(page: Page, controls: number): Promise<void> {
  const cuts = new Set<string>();
  for (let at = 0; at < controls; at++) {
    await page.keyboard.press('Tab');
    for (const problem of [await page.evaluate(cutOfRing), await page.evaluate(missingRing)]) {
      if (problem !== '') cuts.add(problem);
    }
  }
  expect([...cuts]).toEqual([]);
}

test('has no serious accessibility problems and no clipped focus rings', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'broken.flow.yaml': brokenFlow, 'mixed.flow.yaml': mixedFlow });
  const { page } = await program.open(workspace);

  await openFlow(page, 'mixed');
  await card(page, 'never').click();
  await expectNoneInBothThemes(page, 'a selected node at rest');
  await expectOwnList(page);
  await page.keyboard.press('Escape');
  await run(page);
  await expectRun(page, 'completed');
  await expectNoneInBothThemes(page, 'a run with a failure and a skipped node');
  await card(page, 'never').click();
  await expectNoneInBothThemes(page, 'the reason of a skip');
  await expectWholeRings(page, 60);
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Mixed');
  await expectNoneInBothThemes(page, 'canvas and text');

  await openFlow(page, 'broken');
  await showProblems(page);
  await expectNoneInBothThemes(page, 'problems');
  await showRuns(page);
  await expectNoneInBothThemes(page, 'past runs');
  await page.getByRole('button', { name: 'Show keyboard shortcuts' }).click();
  await expectNoneInBothThemes(page, 'a dialog');
});

test('has no accessibility problems in high contrast or its settings', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'mixed.flow.yaml': mixedFlow });
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'mixed');
  await runCommand(page, 'Open editor settings');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expectNoneInBothThemes(page, 'the settings of the editor');
  await settings.getByRole('radio', { name: 'Compact' }).click();
  await settings.getByRole('radio', { name: 'High' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'high');
  await expectNoneInBothThemes(page, 'the settings of the editor in high contrast');
  // The second click is on the open tab and gives its row the focus.
  for (let click = 0; click < 2; click++) await settings.getByRole('tab', { name: 'Models' }).click();
  await expectWholeRings(page, 45);
  await page.keyboard.press('Escape');
  await run(page);
  await expectRun(page, 'completed');
  await expectNoneInBothThemes(page, 'a run in high contrast');

  await runCommand(page, 'Open editor settings');
  await settings.getByRole('radio', { name: 'Normal' }).click();
  await page.emulateMedia({ contrast: 'more' });
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'high');
});

test('has no accessibility problems in runs that wait, were interrupted or reuse results', {
  tag: '@thorough',
}, async ({ program }) => {
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
