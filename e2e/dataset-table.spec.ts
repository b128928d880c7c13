/** Compares two models on the rows of a dataset in the window, and takes the better one over into the flow. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { type ModelServer, startModelServer } from '../engine/testing/model-server.ts';
import { expectNoneInBothThemes } from './axe.ts';
import { answerQuestions } from './main-process.ts';
import { type Program, type RunningProgram, test } from './program.ts';
import { openFlow } from './window.ts';

const flow = `flow: { name: Reply, inputs: { mail: { type: string } } }
nodes:
  - id: draft
    type: prompt
    config: { model: local::tiny }
    input: { prompt: "Reply to {{flow.input.mail}}" }
edges: []
`;

const tests = `target: reply.flow.yaml
cassette: reply.cassette.yaml
cases:
  from: mails.csv
  name: "{{row.mail}}"
  map: { mail: mail }
  expect:
    judge: { prompt: "Is it polite? {{draft.text}}", model: local::judge }
`;

const mails = ['late parcel', 'wrong address', 'broken lamp', 'refund', 'thanks'];

let server: ModelServer;
test.beforeEach(async () => {
  server = await startModelServer('openai-compatible');
});
test.afterEach(() => server.close());

function git(workspace: string, ...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', [...who, ...args], { cwd: workspace, stdio: 'ignore' });
}

async function start(program: Program): Promise<RunningProgram & { readonly workspace: string }> {
  const provider = `kind = "openai-compatible"\nbase_url = "${server.baseUrl}"\n`;
  await mkdir(program.folders.home, { recursive: true });
  const settings = `[options]\nmodel = "local::tiny"\n[providers.local]\n${provider}`;
  await writeFile(path.join(program.folders.home, 'config-user.toml'), settings);
  const workspace = await program.makeTrustedWorkspace({
    'reply.flow.yaml': flow,
    'reply.test.yaml': tests,
    'mails.csv': `mail\n${mails.join('\n')}\n`,
  });
  git(workspace, 'init', '-b', 'main');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-m', 'first version');
  return { ...(await program.start(['--workspace', workspace])), workspace };
}

const table = (page: Page): Locator => page.locator('.dataset-table');
const side = (page: Page): Locator => page.getByRole('complementary', { name: 'Result of the selected cell' });

/** Plans a reply and a judgment for each row. */
function planColumn(reply: string, scores: readonly number[]): void {
  server.plan(
    ...scores.flatMap((score, index) => [
      { pieces: [`${reply} ${index}`] },
      { pieces: [JSON.stringify({ reason: `${reply} gets ${score}`, score })] },
    ]),
  );
}

async function addColumn(page: Page, query: string): Promise<void> {
  await table(page).getByRole('button', { name: 'Add version or model' }).click();
  await page.getByRole('combobox').fill(query);
  await page.getByRole('option', { name: query }).first().click();
}

async function openTable(page: Page): Promise<void> {
  await openFlow(page, 'reply');
  await page.getByRole('button', { name: 'Tests', exact: true }).click();
  await page.getByRole('treeitem', { name: /^mails\.csv, 5 rows,/ }).click();
  await expect(table(page)).toContainText('5 rows');
}

test('two models are compared on a dataset, and the better one is taken over', async ({ program }) => {
  const { app, page, workspace } = await start(program);
  await openTable(page);
  const run = table(page).getByRole('button', { name: /^Run \d columns?$/ });
  const heads = table(page).getByRole('columnheader');

  await test.step('without agreement, nothing is called', async () => {
    const declined = await answerQuestions(app, 'Cancel');
    await run.click();
    await expect.poll(declined).toHaveLength(1);
    await expect(heads.nth(1)).toContainText('0/5');
    expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(0);
  });

  await test.step('calls of a column are recorded after the person agrees', async () => {
    await answerQuestions(app, 'Call and Record');
    planColumn('Hi', [4, 2, 4, 3, 5]);
    await run.click();
    await expect(heads.nth(1)).toContainText('score 3.6');
    await expect(heads.nth(1)).toContainText('4/5');
    await expect(run).toBeEnabled();
  });

  await test.step('another model is a column', async () => {
    await addColumn(page, 'local::large');
    planColumn('Dear customer', [5, 4, 5, 5, 5]);
    await run.click();
    await expect(heads.nth(2)).toContainText('5/5');
    await expect(heads.nth(2)).toContainText('score 4.8');
    await expect(heads.nth(1)).toContainText('4/5');
    await expect(table(page)).toContainText('Best: Now, local::large.');
    await expect(table(page)).toContainText('1.2 better, 1 more row passes');
    const models = server.received.map(({ body }) => body['model']);
    expect(models.filter((model) => model === 'large')).toHaveLength(5);
    expect(models.filter((model) => model === 'judge')).toHaveLength(10);
  });

  await test.step('a cell shows the reason of the judge and the other columns', async () => {
    await table(page)
      .getByRole('button', { name: /^wrong address, Now, local::tiny:/ })
      .click();
    await expect(side(page)).toContainText('Hi gets 2');
    await expect(side(page)).toContainText('1 of 2 fails');
    await expect(side(page)).toContainText('4 of 5');
    await side(page)
      .getByRole('button', { name: /local::large/ })
      .click();
    await expect(side(page)).toContainText('Dear customer gets 4');
    await table(page).getByText('Failing', { exact: true }).click();
    await expect(table(page).getByRole('rowheader')).toHaveText(['wrong address', 'Total']);
    await table(page).getByText('All', { exact: true }).click();
    await expectNoneInBothThemes(page, 'the table of a dataset', '.workspace');
  });

  await test.step('the better model becomes an edit that can be undone', async () => {
    await table(page).getByRole('button', { name: 'Use local::large in draft' }).click();
    await expect(table(page)).toHaveCount(0);
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('local::large');
    expect(await readFile(path.join(workspace, 'reply.flow.yaml'), 'utf8')).toBe(flow);
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('local::tiny');
  });
});

test('a version and a run are compared by keyboard, and a cell opens on the canvas', async ({ program }) => {
  const { app, page } = await start(program);
  await openFlow(page, 'reply');
  // A run without inputs fails, but its flow can be compared.
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await expect(page.locator('.node-card[data-state="failed"]')).toHaveCount(1);
  await openTable(page);
  await addColumn(page, 'main');
  await addColumn(page, 'nowhere');
  await addColumn(page, 'Run 1');
  const questions = await answerQuestions(app, 'Call and Record');
  planColumn('Hi', [4, 2, 4, 3, 5]);
  await table(page).getByRole('button', { name: 'Run 4 columns' }).press('Enter');
  const heads = table(page).getByRole('columnheader');
  await expect(heads.nth(1)).toContainText('score 3.6');
  // The first column has recorded the calls of the committed version, which is the same.
  await expect(heads.nth(2)).toContainText('score 3.6');
  // An unknown version does not affect the other columns.
  await expect(heads.nth(3)).toContainText('nowhere');
  await expect(heads.nth(3)).toContainText('not run');
  await expect(heads.nth(4)).toContainText('Run 1');
  await expect(heads.nth(4)).toContainText('score 3.6');
  expect(await questions()).toHaveLength(1);
  const cell = table(page).locator('.dataset-cell[tabindex="0"]');
  await cell.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(side(page)).toContainText('Row 2, main');
  await page.keyboard.press('Escape');
  await expect(table(page)).toHaveCount(0);
  await page.getByRole('treeitem', { name: /^mails\.csv/ }).click();
  await cell.focus();
  await page.keyboard.press('Enter');
  await expect(table(page)).toHaveCount(0);
  await expect(page.locator('.node-card[data-state="completed"]')).toHaveCount(1);
});
