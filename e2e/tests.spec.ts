/** Runs tests of flows in the window: their panel, the failing check on the canvas, recording, and accepting a value. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { type ModelServer, startModelServer } from '../engine/testing/model-server.ts';
import { expectNoneInBothThemes } from './axe.ts';
import { answerQuestions } from './main-process.ts';
import { type Program, type RunningProgram, test } from './program.ts';
import { card, expectRun, openFlow, run, runCommand } from './window.ts';

const flow = `flow: { name: Letter }
nodes:
  - id: draft
    type: prompt
    input: { prompt: Write to Ann }
  - id: sign
    type: echo
    input: { text: "{{draft.text}} Yours, Kim" }
  - id: never
    type: echo
    input: { text: unused }
    when: { equals: { var: draft.text, value: nothing } }
edges:
  - { from: draft, to: sign }
  - { from: draft, to: never }
`;

const tests = `# Letters to Ann
target: letter.flow.yaml
cassette: letter.cassette.yaml
cases:
  - name: polite letter
    expect:
      outputs:
        sign.text: Dear Ann, Yours, Kim
        draft.text: { contains: Ann }
  - name: runs the draft
    expect:
      ran: [draft]
`;

let server: ModelServer;
test.beforeEach(async () => {
  server = await startModelServer('openai-compatible');
});
test.afterEach(() => server.close());

/** Starts the program with a flow, its test file, and a recording of the flow's only call. */
async function start(
  program: Program,
  files: Readonly<Record<string, string>> = { 'letter.test.yaml': tests },
): Promise<RunningProgram & { readonly workspace: string }> {
  const provider = `kind = "openai-compatible"\nbase_url = "${server.baseUrl}"\n`;
  const settings = `[options]\nmodel = "local::tiny"\n[providers.local]\n${provider}`;
  await mkdir(program.folders.home, { recursive: true });
  await writeFile(path.join(program.folders.home, 'config-user.toml'), settings);
  const workspace = await program.makeTrustedWorkspace({ 'letter.flow.yaml': flow, ...files });
  server.plan({ pieces: ['Dear Ann,'] });
  const running = await program.start(['--workspace', workspace]);
  return { ...running, workspace };
}

const panel = (page: Page): Locator => page.locator('.tests-panel');
const row = (page: Page, name: string): Locator => panel(page).getByRole('treeitem', { name: new RegExp(`^${name},`) });
const openTest = (page: Page): Locator => page.getByRole('region', { name: 'Open test' });
const dock = (page: Page): Locator => page.locator('.run-dock');

/** Records the calls of the open test through the dialog of main. */
async function record(page: Page): Promise<void> {
  await dock(page).getByRole('button', { name: 'Record this call' }).click();
}

test('tests are run, recorded and accepted by mouse', async ({ program }) => {
  const { app, page, workspace } = await start(program);
  await openFlow(page, 'letter');
  await page.getByRole('button', { name: 'Tests', exact: true }).click();

  await test.step('a case without a recording fails, and calls nothing', async () => {
    await expect(panel(page)).toContainText('2 tests, not run yet');
    await panel(page).getByRole('button', { name: 'Run all' }).click();
    await expect(panel(page)).toContainText('0 of 2 pass');
    await expect(page.getByRole('contentinfo')).toContainText('2 of 2 tests fail');
    expect(server.received).toHaveLength(0);
    await row(page, 'polite letter').click();
    await expect(openTest(page)).toContainText('Failed');
    await expect(openTest(page)).toContainText('letter.test.yaml, line 5');
  });

  await test.step('its call is recorded after the person agrees', async () => {
    const declined = await answerQuestions(app, 'Cancel');
    await record(page);
    await expect.poll(declined).toHaveLength(1);
    expect((await declined())[0]).toContain('Call models and services now');
    expect(server.received).toHaveLength(0);
    await expect(openTest(page)).toContainText('Failed');
    await answerQuestions(app, 'Call and Record');
    await record(page);
    await expect(openTest(page)).toContainText('Passed');
    expect(server.received).toHaveLength(1);
    await panel(page).getByRole('button', { name: 'Run all' }).click();
    await expect(panel(page)).toContainText('2 of 2 pass');
    expect(server.received).toHaveLength(1);
    await expect(card(page, 'draft')).toHaveAttribute('data-state', 'completed');
    await expect(page.locator('.case-mark', { hasText: 'covered by 2 cases' })).toHaveCount(2);
    await expect(page.locator('.case-mark', { hasText: 'never covered' })).toHaveCount(1);
  });

  await test.step('after a change of the prompt, the failing check is on the canvas', async () => {
    const text = flow.replace('Write to Ann', 'Write to Bob');
    await writeFile(path.join(workspace, 'letter.flow.yaml'), text);
    await expect(panel(page).getByRole('button', { name: 'Affected 2' })).toBeEnabled();
    server.plan({ pieces: ['Hi Bob,'] });
    await panel(page).getByRole('button', { name: 'Affected 2' }).click();
    await expect(panel(page)).toContainText('0 of 2 pass');
    await row(page, 'polite letter').click();
    await record(page);
    await expect(card(page, 'sign')).toContainText('1 check failed');
    await expect(card(page, 'draft')).toContainText('1 check failed');
    expect(server.received).toHaveLength(2);
    await expectNoneInBothThemes(page, 'an open test', '.app-shell');
  });

  await test.step('the new value is accepted as an edit of the test file', async () => {
    await dock(page)
      .getByRole('button', { name: /sign\.text/ })
      .click();
    await expect(dock(page).getByRole('region', { name: 'Got' })).toContainText('Hi Bob, Yours, Kim');
    await openTest(page).getByRole('button', { name: 'Accept new value' }).click();
    await expect(card(page, 'sign')).toHaveAttribute('data-state', 'completed');
    await openTest(page).getByRole('button', { name: 'letter.test.yaml, line 5' }).click();
    await expect(page.locator('.text-view')).toContainText('Hi Bob, Yours, Kim');
    await expect(page.locator('.text-view')).toContainText('# Letters to Ann');
    expect(await readFile(path.join(workspace, 'letter.test.yaml'), 'utf8')).toBe(tests);
  });
});

test('tests are run and opened by keyboard', async ({ program }) => {
  const { app, page } = await start(program);
  await openFlow(page, 'letter');
  await run(page);
  await expectRun(page, 'completed');
  await runCommand(page, 'Run all tests');
  await expect(panel(page)).toContainText('0 of 2 pass');
  await page.keyboard.press('F8');
  await expect(openTest(page)).toContainText('polite letter');
  await page.keyboard.press('F8');
  await expect(openTest(page)).toContainText('runs the draft');

  await answerQuestions(app, 'Call and Record');
  const recordButton = dock(page).getByRole('button', { name: 'Record this call' });
  await recordButton.focus();
  await page.keyboard.press('Enter');
  await expect(openTest(page)).toContainText('Passed');
  // Nothing fails anymore, so the focus is in the bar of the test.
  await expect(openTest(page)).toBeFocused();

  await panel(page).getByRole('tree').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('r');
  await expect(panel(page)).toContainText('2 of 2 pass');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(openTest(page)).toContainText('polite letter');
  await page.keyboard.press('F8');
  await expect(page.getByText('No failed test', { exact: true })).toBeVisible();
  await runCommand(page, 'Close the open test');
  await expect(openTest(page)).toHaveCount(0);
});

test('13.13 a run is saved as a test, a changed prompt turns it red, and only its call is recorded, by keyboard', async ({
  program,
}) => {
  const { app, page, workspace } = await start(program, {});
  await openFlow(page, 'letter');
  await run(page);
  await expectRun(page, 'completed');
  expect(server.received).toHaveLength(1);

  await test.step('the dialog proposes a case with a recording', async () => {
    await runCommand(page, 'Save run as test');
    const dialog = page.getByRole('dialog', { name: /as a test/ });
    await expect(dialog.getByRole('checkbox').first()).toBeVisible();
    await expect(dialog).toContainText('sign.text');
    await expectNoneInBothThemes(page, 'saving a test', '[role=dialog]');
    const name = dialog.getByLabel('Name');
    await name.fill('polite letter');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(row(page, 'polite letter')).toBeVisible();
    expect(await readFile(path.join(workspace, 'letter.test.yaml'), 'utf8')).toContain('target: letter.flow.yaml');
  });

  await test.step('it passes without a call', async () => {
    await runCommand(page, 'Run all tests');
    await expect(panel(page)).toContainText('1 of 1 pass');
    expect(server.received).toHaveLength(1);
  });

  await test.step('a changed prompt fails on the canvas, and its call is recorded', async () => {
    await writeFile(path.join(workspace, 'letter.flow.yaml'), flow.replace('Write to Ann', 'Write to Bob'));
    await expect(panel(page).getByRole('button', { name: 'Affected 1' })).toBeEnabled();
    await runCommand(page, 'Run all tests');
    await expect(panel(page)).toContainText('0 of 1 pass');
    await page.keyboard.press('F8');
    await expect(card(page, 'draft')).toContainText(/checks? failed/);
    await expect(dock(page)).toContainText('Write to Bob');
    server.plan({ pieces: ['Dear Bob,'] });
    await answerQuestions(app, 'Call and Record');
    await dock(page).getByRole('button', { name: 'Record this call' }).focus();
    await page.keyboard.press('Enter');
    await expect(card(page, 'sign')).toContainText(/checks? failed/);
    expect(server.received).toHaveLength(2);
  });

  await test.step('a recorded call and accepted values leave the focus at the next failing check', async () => {
    const failing = dock(page).locator('.check-row[data-failed="true"]');
    await expect(failing.first()).toBeFocused();
    for (let left = (await failing.count()) - 1; left >= 0; left--) {
      await dock(page).getByRole('button', { name: 'Accept this value' }).focus();
      await page.keyboard.press('Enter');
      await expect(failing).toHaveCount(left);
      await expect(left > 0 ? failing.first() : openTest(page)).toBeFocused();
    }
    await expect(openTest(page)).toContainText('Passed');
    expect(server.received).toHaveLength(2);
  });
});

test('a run with many outputs is saved as a test by mouse, and fails on the canvas after an edit', async ({
  program,
}) => {
  const names = Array.from({ length: 24 }, (_, index) => `a_rather_long_name_of_a_node_that_signs_letter_${index}`);
  const nodes = names.map(
    (id) => `  - { id: ${id}, type: echo, input: { text: "Dear Ann, this is a rather long letter" } }`,
  );
  const many = `flow: { name: Letter }\nnodes:\n${nodes.join('\n')}\nedges: []\n`;
  const { app, page, workspace } = await start(program, { 'letter.flow.yaml': many });
  await openFlow(page, 'letter');
  await run(page);
  await expectRun(page, 'completed');
  const dialog = page.getByRole('dialog', { name: /as a test/ });

  await test.step('the checks scroll, and the buttons stay in the dialog', async () => {
    await page.getByRole('button', { name: 'More ways to run' }).click();
    await page.getByRole('menuitem', { name: /^Save run as test/ }).click();
    await expect(dialog.getByRole('checkbox')).not.toHaveCount(0);
    const resize = (width: number, height: number): Promise<void> =>
      app.evaluate(
        ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
        { width, height },
      );
    await resize(1024, 700);
    await expect.poll(() => page.evaluate(() => innerHeight)).toBe(700);
    const boxes = await Promise.all([dialog, dialog.locator('footer')].map((one) => one.boundingBox()));
    const [whole, footer] = boxes.map((box) => (box?.y ?? 0) + (box?.height ?? 0));
    expect(footer).toBeLessThanOrEqual(whole ?? 0);
    expect(whole).toBeLessThanOrEqual(700);
    const list = dialog.locator('.save-case-checks');
    expect(await list.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
    await resize(1440, 900);
  });

  await test.step('a check is left out', async () => {
    await dialog.getByRole('checkbox').first().uncheck();
    await dialog.getByLabel('Name', { exact: true }).fill('many letters');
    await dialog.getByRole('button', { name: 'Save test' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row(page, 'many letters')).toBeVisible();
    await panel(page).getByRole('button', { name: 'Run all' }).click();
    await expect(panel(page)).toContainText('1 of 1 pass');
  });

  await test.step('an edit of a checked node fails on the canvas', async () => {
    const last = names[23] ?? '';
    await writeFile(
      path.join(workspace, 'letter.flow.yaml'),
      many.replace(`id: ${last}, type: echo, input: { text: "Dear`, `id: ${last}, type: echo, input: { text: "Hi`),
    );
    await expect(panel(page).getByRole('button', { name: 'Affected 1' })).toBeEnabled();
    await panel(page).getByRole('button', { name: 'Affected 1' }).click();
    await expect(panel(page)).toContainText('0 of 1 pass');
    await row(page, 'many letters').click();
    await expect(openTest(page)).toContainText('Failed');
    await expect(page.locator('.node-card', { hasText: '1 check failed' })).toHaveCount(1);
  });
});
