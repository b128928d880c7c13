/** Tests an engine host that is suspended by the system and does not respond: the user can end it or wait. */
import { expect, type Page } from '@playwright/test';
import { echoFlow, pausingFlow } from './flows.ts';
import { livingHost } from './main-process.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, run } from './window.ts';

function bar(page: Page) {
  return page.locator('.banner').filter({ hasText: 'has not responded since' });
}

test('shows a host that does not respond, also after a reload, until it responds again', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('alive') });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  const host = await livingHost(app);
  process.kill(host, 'SIGSTOP');
  await expect(bar(page)).toBeVisible();
  await expect(bar(page)).toContainText(/since \d\d?:\d\d/);
  await expect(page.getByRole('contentinfo')).toContainText('Engine not responding');
  await bar(page).getByRole('button', { name: 'Keep waiting' }).click();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toContainText('Engine not responding');

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

test('ends a host that does not respond, and resumes its run in another', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'pausing.flow.yaml': pausingFlow });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'pausing');
  await run(page);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  const host = await livingHost(app);
  process.kill(host, 'SIGSTOP');
  await expect(bar(page)).toBeVisible();
  // The choice is also available after the page is reloaded.
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

test('a call that needs consent, and quitting, wait for an unresponsive host only as long as necessary', {
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
