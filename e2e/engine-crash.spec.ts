/** The engine host dies in the middle of a run: the window lives on, and nothing that was recorded is lost. */
import { expect } from '@playwright/test';
import { echoFlow, slowFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, showRuns } from './window.ts';

test('keeps the window usable, marks the run interrupted and keeps its work', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'slow.flow.yaml': slowFlow, 'echo.flow.yaml': echoFlow('alive') });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'slow');
  await run(page);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);

  const killed = await app.evaluate(({ app: electronApp }) => {
    const host = electronApp.getAppMetrics().find(({ type, name }) => type === 'Utility' && /engine/i.test(name ?? ''));
    return host === undefined ? false : process.kill(host.pid, 'SIGKILL');
  });
  expect(killed).toBe(true);

  await expectRun(page, 'interrupted');
  await card(page, 'first').click();
  await expect(inspector(page)).toContainText('kept');

  await openFlow(page, 'echo');
  await run(page);
  await expectRun(page, 'completed');

  await openFlow(page, 'slow');
  await showRuns(page);
  await expect(page.getByRole('complementary', { name: 'Runs' })).toContainText(/interrupted/i);
});
