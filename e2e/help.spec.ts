/** Tests the documentation inside the program: how it opens, what it may do, its search and its accessibility. */
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { echoFlow } from './flows.ts';
import { chooseInMenu } from './main-process.ts';
import { test } from './program.ts';
import { card, inspector, openFlow } from './window.ts';

async function openDocs(app: ElectronApplication, act: () => Promise<void>): Promise<Page> {
  const [docs] = await Promise.all([app.waitForEvent('window'), act()]);
  return docs;
}

test('opens the documentation with F1, from the menu and for a node type, without network', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  const docs = await openDocs(app, () => page.keyboard.press('F1'));
  await expect(docs.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible();

  await card(page, 'say').click();
  await inspector(page).getByRole('button', { name: 'About this node type' }).click();
  await expect(docs.getByRole('heading', { level: 1, name: 'Echo: echo' })).toBeVisible();
  await chooseInMenu(app, 'Help', 'Documentation');
  await expect(docs).toHaveURL('app://docs/');
  await docs.getByRole('article').getByRole('link', { name: 'Flow files' }).click();
  await expect(docs).toHaveURL('app://docs/flowspec.html');
  // Keys of a test don't pass through the main process.
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().startsWith('app://docs/'));
    window?.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'Left', modifiers: ['alt'] });
  });
  await expect(docs).toHaveURL('app://docs/');
  expect(app.windows()).toHaveLength(2);

  const found = await docs.evaluate(async () => {
    const attempt = (what: () => Promise<unknown>): Promise<string> =>
      what().then(
        () => 'allowed',
        () => 'refused',
      );
    const frame = document.createElement('iframe');
    frame.src = 'app://millrace/';
    document.body.append(frame);
    const link = document.createElement('a');
    link.href = 'https://example.org/';
    document.body.append(link);
    link.click();
    return {
      bridge: typeof Reflect.get(globalThis, 'bridge'),
      require: typeof Reflect.get(globalThis, 'require'),
      network: await attempt(() => fetch('http://127.0.0.1:9/')),
      page: await attempt(() => fetch('app://millrace/index.html')),
      file: await attempt(() => fetch('file:///etc/hostname')),
      window: window.open('https://example.org') === null ? 'refused' : 'allowed',
      notifications: await Notification.requestPermission(),
      frame: frame.contentDocument?.body.textContent ?? '',
      origin: location.origin,
    };
  });
  expect(found).toEqual({
    ...{ bridge: 'undefined', require: 'undefined', notifications: 'denied', frame: '', origin: 'app://docs' },
    ...{ network: 'refused', page: 'refused', file: 'refused', window: 'refused' },
  });
  const contents = await app.evaluate(({ BrowserWindow, session }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().startsWith('app://docs/'));
    return {
      url: window?.webContents.getURL(),
      isSeparate: window?.webContents.session !== session.defaultSession,
      isKept: window?.webContents.session.isPersistent(),
      preferences: Reflect.apply(
        Reflect.get(window?.webContents ?? {}, 'getLastWebPreferences'),
        window?.webContents,
        [],
      ),
    };
  });
  expect(contents).toMatchObject({
    url: 'app://docs/',
    isSeparate: true,
    isKept: false,
    preferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    },
  });
});

test('finds pages with the keyboard, and has no accessibility problems', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  const docs = await openDocs(app, () => page.keyboard.press('F1'));
  await expect(docs.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoneInBothThemes(docs, 'the index of the documentation');

  await docs.keyboard.press('/');
  await docs.keyboard.type('replay model calls');
  const results = docs.getByRole('listbox', { name: 'Results' });
  await expect(results.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await expectNoneInBothThemes(docs, 'the results of a search in the documentation');
  await docs.keyboard.press('ArrowDown');
  await docs.keyboard.press('ArrowUp');
  await docs.keyboard.press('Enter');
  await expect(docs).toHaveURL(/^app:\/\/docs\/.+\.html/);

  for (const name of ['get-started/first-flow', 'how-to/call-an-api-with-a-secret', 'nodes/prompt']) {
    await docs.goto(`app://docs/${name}.html`);
    await expectNoneInBothThemes(docs, `the page ${name} of the documentation`);
  }
});
