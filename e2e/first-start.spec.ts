/** The very first start, as a person meets it: an example workspace, in a sandboxed window that anybody can read. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, openFlow } from './window.ts';

test('copies the examples to a folder of the user, opens them, and runs the first one', async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  await expectRun(page, 'completed');
  expect(await readdir(path.join(program.folders.scratch, 'examples', 'out'))).toEqual(['release-notes.md']);
});

test('shows the text of the flow beside the canvas', async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Release');
  await expect(card(page, 'Headline')).toBeVisible();
});

test('gives the page nothing but its contract', async ({ program }) => {
  const { page } = await program.start();
  await page.getByRole('main').waitFor();
  const found = await page.evaluate(async () => {
    const attempt = async (what: () => unknown): Promise<string> => {
      try {
        await what();
        return 'allowed';
      } catch {
        return 'refused';
      }
    };
    return {
      require: typeof Reflect.get(globalThis, 'require'),
      process: typeof Reflect.get(globalThis, 'process'),
      fetch: await attempt(() => fetch('http://127.0.0.1:9/')),
      window: window.open('https://example.org') === null ? 'refused' : 'allowed',
      origin: location.origin,
    };
  });
  expect(found).toEqual({
    require: 'undefined',
    process: 'undefined',
    fetch: 'refused',
    window: 'refused',
    origin: 'app://millrace',
  });
  // Text run as code: tried by the page itself later on, because what a test evaluates is exempt from the policy.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineScriptRan = true';
    document.body.append(script);
    setTimeout('window.textRan = true');
  });
  await expect(page.getByRole('main')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(window).filter((key) => key.endsWith('Ran')))).toEqual([]);
});

test('stays on its own page, whatever the page asks for', async ({ program }) => {
  const { app, page } = await program.start();
  await page.getByRole('main').waitFor();
  const tried = await app.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) return 'no window';
    const leaving = new Promise((resolve) => window.webContents.once('will-navigate', resolve));
    await window.webContents.executeJavaScript("location.href = 'https://example.org/'; window.open('about:blank'); 0");
    await leaving;
    return window.webContents.getURL();
  });
  expect(tried).toMatch(/^app:\/\/millrace\//);
  expect(app.windows()).toHaveLength(1);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no serious accessibility problem in the ${colorScheme} theme`, async ({ program }) => {
    const { page } = await program.start();
    await page.emulateMedia({ colorScheme });
    await openFlow(page, 'health-check');
    await card(page, 'Web log').click();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  });
}
