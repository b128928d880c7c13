/**
 * Tests a program that is killed while loop items wait for people. They are answered after the next start and on the
 * command line.
 */
import { expect } from '@playwright/test';
import { packedMillrace } from './command-line.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, run } from './window.ts';

const loopFlow = `flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b, c], maxParallel: 3, body: [check, sent, kept] } }
  - { id: check, type: human_approval, input: { title: "Send {{item}}?" } }
  - { id: sent, type: echo, input: { text: "sent {{item}}" } }
  - { id: kept, type: echo, input: { text: "kept {{item}}: {{check.comment}}" } }
  - { id: told, type: json.query, input: { value: "{{each.iterations}}" }, config: { path: "$[*].outputs[*].text" } }
edges:
  - { from: check, to: sent, when: { equals: { var: check.route, value: approved } } }
  - { from: check, to: kept, when: { equals: { var: check.route, value: rejected } } }
  - { from: each, to: told }
`;

test('three loop items keep waiting after a kill; two are approved by keyboard, one is rejected on the command line', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'loop.flow.yaml': loopFlow });
  const first = await program.start(['--workspace', workspace]);
  await openFlow(first.page, 'loop');
  await run(first.page);
  await expectRun(first.page, 'waiting for you');
  const gone = first.app.waitForEvent('close');
  first.app.process().kill('SIGKILL');
  await gone;

  const { page } = await program.start(['--workspace', workspace]);
  await page.getByRole('button', { name: 'Waiting for you: 3' }).press('Enter');
  const inbox = page.getByRole('list', { name: 'Waiting for you' });
  await inbox.getByRole('button', { name: /item 1\b/ }).press('a');
  await expect(inbox.getByRole('button')).toHaveCount(2);

  const where = { folder: workspace, home: program.folders.home };
  const listed = await packedMillrace(['inbox', '--json'], where);
  const waiting = listed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { runId: string; node: string });
  const args = ['resume', waiting[0]?.runId ?? '', '--node', 'each[1].check', '--reject', '--comment', 'not now'];
  // If the window's engine has already resumed the run, it takes the answer. Otherwise the command line does, and the
  // last item keeps waiting there.
  expect([0, 3]).toContain((await packedMillrace(args, where)).code);

  await expect(inbox.getByRole('button')).toHaveCount(1);
  // The run is shown, and the focus returns to the list.
  await inbox.getByRole('button', { name: /item 3\b/ }).press('Enter');
  await expectRun(page, 'waiting for you');
  await inbox.getByRole('button', { name: /item 3\b/ }).press('a');
  await expectRun(page, 'completed');
  await card(page, 'told').click();
  await expect(page.locator('.inspector')).toContainText(/sent a[\s\S]*kept b: not now[\s\S]*sent c/);
});
