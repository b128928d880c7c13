/** The engine host is there and does not answer, because the system has stopped it: the person can end it or wait. */
import { expect, type Page } from '@playwright/test';
import { echoFlow, pausingFlow } from './flows.ts';
import { livingHost } from './main-process.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, run } from './window.ts';

function bar(page: Page) {
  return page.locator('.banner').filter({ hasText: 'has not answered since' });
}

test('a host that does not answer is shown, also to a page that is loaded anew, and waited for', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('alive') });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  const host = await livingHost(app);
  process.kill(host, 'SIGSTOP');
  await expect(bar(page)).toBeVisible();
  await expect(bar(page)).toContainText(/since \d\d?:\d\d/);
  await expect(page.getByRole('contentinfo')).toContainText('Engine does not answer');
  await bar(page).getByRole('button', { name: 'Keep waiting' }).click();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toContainText('Engine does not answer');

  await page.reload();
  await expect(bar(page)).toBeVisible();
  process.kill(host, 'SIGCONT');
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toContainText('Engine ready');
  await openFlow(page, 'echo');
  await run(page);
  await expectRun(page, 'completed');
  expect(await livingHost(app)).toBe(host);
});

test('a host that does not answer is ended, and its run goes on in another', { tag: '@thorough' }, async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'pausing.flow.yaml': pausingFlow });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'pausing');
  await run(page);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  const host = await livingHost(app);
  process.kill(host, 'SIGSTOP');
  await expect(bar(page)).toBeVisible();
  // Who loads the page anew meanwhile can do it as well.
  await page.reload();
  await bar(page).getByRole('button', { name: 'End it and resume' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('Engine ready');
  expect(await livingHost(app)).not.toBe(host);
  await openFlow(page, 'pausing');
  await expectRun(page, 'completed');
  await card(page, 'last').click();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('after kept');
  await page.getByRole('tab', { name: /^Log/ }).click();
  const started = page.locator('.run-log-line').filter({ hasText: 'started' });
  await expect(started.filter({ hasText: 'first' })).toHaveCount(1);
  await expect(started.filter({ hasText: 'pause' }).filter({ hasText: 'again' })).toHaveCount(1);
});

test('a call on behalf of the person, and the end of the program, wait for a silent host no longer than needed', {
  tag: '@thorough',
}, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('alive') });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  process.kill(await livingHost(app), 'SIGSTOP');
  const call = (name: string, params: unknown) =>
    page.evaluate(
      async ([called, given]) => {
        const reply = await Reflect.get(window, 'bridge').call(called, [given]);
        return reply.ok ? 'answered' : reply.error.code;
      },
      [name, params] as const,
    );
  expect(await call('trust.set', { isTrusted: false })).toBe('engine.not-answering');
  expect(await call('vault.set', { variable: 'NEW_KEY', value: 'sk-new' })).toBe('answered');
  const closed = app.waitForEvent('close');
  await page.close();
  await closed;
});
