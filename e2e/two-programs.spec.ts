/**
 * Tests two programs and the command line on one workspace at the same time: they share one history, and each owns its
 * runs.
 */
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { millrace } from './command-line.ts';
import { echoFlow, slowFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, run, runList, showRuns } from './window.ts';

/**
 * Expects the rows of the run list. Rows start with the state in the list of one flow, and with the name in the list of
 * all flows.
 */
async function expectRuns(page: Page, runs: readonly RegExp[]): Promise<void> {
  // The menu button of a hovered row has no text.
  const rows = runList(page).getByRole('list', { name: 'Runs' }).getByRole('button').filter({ hasText: /\S/ });
  await expect(rows).toHaveText([...runs]);
}

test('two programs on one workspace see each other’s runs live, and can cancel them', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'slow.flow.yaml': slowFlow });
  const [one, two] = await Promise.all([
    program.start(['--workspace', workspace]),
    program.start(['--workspace', workspace], { userData: path.join(program.folders.scratch, 'other-user-data') }),
  ]);
  await openFlow(one.page, 'slow');
  await openFlow(two.page, 'slow');
  await run(one.page);
  await expect(card(two.page, 'pause')).toHaveAccessibleName(/running/);

  await two.page.getByRole('button', { name: 'Cancel', exact: true }).click();
  for (const { page } of [one, two]) await expectRun(page, 'canceled');
  await run(two.page);
  await expectRun(two.page, 'running');
  for (const { page } of [one, two]) {
    await showRuns(page);
    await expectRuns(page, [/running/i, /canceled/i]);
  }
});

test('a run of the command line appears while it is running, and the command line lists those of the window', {
  tag: '@thorough',
}, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'slow.flow.yaml': slowFlow, 'echo.flow.yaml': echoFlow('quick') });
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'slow');
  await showRuns(page);
  const stop = new AbortController();
  const slow = millrace(workspace, ['run', 'slow.flow.yaml'], stop.signal);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await expectRuns(page, [/running/i]);
  stop.abort();
  await expectRun(page, 'canceled');
  expect((await slow).code).toBe(130);

  await run(page);
  await expectRun(page, 'running');
  expect((await millrace(workspace, ['run', 'echo.flow.yaml'])).code).toBe(0);
  const { out } = await millrace(workspace, ['runs', 'list']);
  expect(out.trim().split('\n')).toEqual([
    expect.stringMatching(/completed .*echo\.flow\.yaml$/),
    expect.stringMatching(/running .*slow\.flow\.yaml$/),
    expect.stringMatching(/cancelled .*slow\.flow\.yaml$/),
  ]);
  await runList(page).getByRole('radio', { name: 'All' }).click();
  await expectRuns(page, [/^Echo/, /^Slow/, /^Slow/]);
});
