/** Tests invalid files and folders: the window shows what is wrong, where, and how to fix it, and loses no data. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { millrace } from './command-line.ts';
import { echoFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, readProblems, run, showProblems } from './window.ts';

const cycle = `flow: { name: Cycle }
nodes:
  - { id: a, type: echo, input: { text: x } }
  - { id: b, type: no.such, input: {} }
edges:
  - { from: a, to: b }
  - { from: b, to: a }
`;

test('lists every problem with its position, draws what it can, and refuses to run', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'cycle.flow.yaml': cycle });
  const { page } = await program.open(workspace);
  await openFlow(page, 'cycle');
  await expect(card(page, 'b')).toHaveAccessibleName(/invalid/);
  await page.keyboard.press('Control+Enter');
  const problems = await showProblems(page);
  await expect(problems).toContainText('edge.cycle');
  await expect(problems).toContainText('node.unknown-type');
  await expect(problems).toContainText('6:');
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toHaveCount(0);
});

const nodes = (...lines: string[]): string =>
  `flow: { name: Bad }\nnodes:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
const say = '{ id: say, type: echo, input: { text: x } }';
const laughs = ['a: &a [x, x, x, x, x, x, x, x, x]', ...'bcdefghi'].map((name, index, all) =>
  index === 0
    ? name
    : `${name}: &${name} [${Array(9)
        .fill(`*${all[index - 1]?.charAt(0)}`)
        .join(', ')}]`,
);

/** The content of each file and the code of its first problem. */
const badFiles: Readonly<Record<string, readonly [content: string | Buffer, code: string]>> = {
  'no-yaml': ['flow: [1,\n', 'yaml.syntax'],
  empty: ['', 'yaml.empty'],
  binary: [Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 200]), 'file.not-text'],
  large: [`# ${'x'.repeat(20 * 1024 * 1024)}\n`, 'file.too-large'],
  deep: [`flow: ${'['.repeat(100_000)}`, 'yaml.too-deep'],
  aliases: [`${laughs.join('\n')}\n`, 'yaml.too-many-aliases'],
  types: ['flow: 7\nnodes: {}\nedges: no\n', 'flow.wrong-type'],
  twice: [`${nodes(say)}edges: []\nedges: []\n`, 'yaml.duplicate-key'],
  'no-edges': [nodes(say), 'flow.missing-key'],
  'unknown-type': [`${nodes('{ id: a, type: no.such, input: {} }')}edges: []\n`, 'node.unknown-type'],
  cycle: [`${nodes(say)}edges: [{ from: say, to: say }]\n`, 'edge.cycle'],
  nowhere: [`${nodes(say)}edges: [{ from: say, to: gone }]\n`, 'edge.unknown-node'],
  'dash-id': [`${nodes(say.replace('id: say', 'id: say-it'))}edges: []\n`, 'node.bad-id'],
  'flow-id': [`${nodes(say.replace('id: say', 'id: flow'))}edges: []\n`, 'node.reserved-id'],
};

test('shows the same problems for each bad file as the command line, changes none, and runs the good one', async ({
  program,
}) => {
  const names = Object.keys(badFiles);
  const files = Object.fromEntries(names.map((name) => [`${name}.flow.yaml`, badFiles[name]?.[0] ?? '']));
  const workspace = await program.makeWorkspace({ ...files, 'good.flow.yaml': echoFlow('fine') });
  const printed = millrace(workspace, ['validate', ...Object.keys(files)]);
  const { page } = await program.open(workspace);
  const shown: string[] = [];
  for (const name of names) {
    await openFlow(page, name);
    await expect(await showProblems(page)).toContainText(badFiles[name]?.[1] ?? '');
    shown.push(...(await readProblems(page)).map((line) => `${name}.flow.yaml:${line}`));
  }
  const { code, errors } = await printed;
  expect(shown).toEqual(errors);
  expect(code).toBe(2);

  await openFlow(page, 'good');
  await run(page);
  await expectRun(page, 'completed');
  for (const [name, content] of Object.entries(files)) {
    const kept = await readFile(path.join(workspace, name));
    expect(kept.equals(Buffer.from(content)), name).toBe(true);
  }
});

test('keeps showing an open file that was deleted, reports it, and reloads it when it returns', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('here') });
  const file = path.join(workspace, 'echo.flow.yaml');
  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  await rm(file);
  await expect(page.getByRole('main')).toContainText(/deleted|no longer/i);
  await expect(card(page, 'say')).toBeVisible();
  await writeFile(file, echoFlow('back again'));
  await expect(card(page, 'say')).toContainText('back again');
});

test('reports that a workspace named on the command line is missing', async ({ program }) => {
  const { page } = await program.start(['--workspace', path.join(program.folders.scratch, 'nowhere')]);
  await expect(page.locator('body')).toContainText('nowhere');
  await expect(page.getByRole('button', { name: /open.*folder/i }).first()).toBeVisible();
});
