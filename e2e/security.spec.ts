/** Tests restrictions on the page, a foreign page and a stolen message port, and that no API key leaves the engine. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect } from '@playwright/test';
import { parse } from 'yaml';
import { echoFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run } from './window.ts';

/**
 * Runs in the page: requests another port to the engine and sends raw messages over it, as a compromised page could.
 */
async function askEngine(calls: readonly (readonly [name: string, args: unknown, ...unknown[]])[]): Promise<string[]> {
  const taken = new Promise<MessagePort>((resolve) => {
    window.addEventListener('message', ({ ports: [port] }) => port && resolve(port), { once: true });
  });
  await Reflect.get(window, 'bridge').call('engine.connect', []);
  const port = await taken;
  const ask = ([name, args]: (typeof calls)[number], index: number): Promise<string> =>
    new Promise((resolve) => {
      const id = 1_000_000 + index;
      port.addEventListener('message', ({ data }) => {
        if (data.id === id) resolve(`${name}: ${data.reply.ok ? 'answered' : data.reply.error.code}`);
      });
      port.postMessage({ kind: 'call', id, name, args });
    });
  return Promise.all(calls.map(ask));
}

test('exposes only its contract to the page', async ({ program }) => {
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
      bridge: Object.keys(Reflect.get(globalThis, 'bridge')),
      fetch: await attempt(() => fetch('http://127.0.0.1:9/')),
      window: window.open('https://example.org') === null ? 'refused' : 'allowed',
      notifications: await Notification.requestPermission(),
      microphone: await attempt(() => navigator.mediaDevices.getUserMedia({ audio: true })),
      place: await attempt(() => new Promise((...answer) => navigator.geolocation.getCurrentPosition(...answer))),
      origin: location.origin,
    };
  });
  expect(found).toEqual({
    require: 'undefined',
    process: 'undefined',
    bridge: ['call', 'onPush', 'pathOfFile'],
    fetch: 'refused',
    window: 'refused',
    notifications: 'denied',
    microphone: 'refused',
    place: 'refused',
    origin: 'app://millrace',
  });
  // The page itself runs this text as code later, because code evaluated by a test bypasses the content policy.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineScriptRan = true';
    document.body.append(script);
    setTimeout('window.textRan = true');
  });
  await expect(page.getByRole('main')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(window).filter((key) => key.endsWith('Ran')))).toEqual([]);
});

test('serves the page with one strict policy, in a sandbox, without developer tools', async ({ program }) => {
  const { app, page } = await program.start();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.openDevTools());
  const [answer] = await Promise.all([page.waitForResponse('app://millrace/'), page.reload()]);
  expect(answer.headers()['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  const window = await app.evaluate(({ BrowserWindow, Menu }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const roles = JSON.stringify(
      Menu.getApplicationMenu()?.items.map(({ submenu }) => submenu?.items.map(({ role }) => role)),
    );
    return {
      preferences: Reflect.apply(Reflect.get(contents ?? {}, 'getLastWebPreferences'), contents, []),
      hasTools: contents?.isDevToolsOpened(),
      hasToolsEntry: /devtools/i.test(roles),
    };
  });
  expect(window).toMatchObject({
    hasTools: false,
    hasToolsEntry: false,
    preferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      nodeIntegrationInSubFrames: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
    },
  });
  expect(window.preferences).not.toHaveProperty('nodeIntegrationInWorker', true);
  expect(window.preferences).not.toHaveProperty('enableBlinkFeatures', expect.stringMatching(/./));
});

test('has no web views, reads no files by URL, and passes no URL to the system', async ({ program }) => {
  const { app, page } = await program.start();
  await page.getByRole('main').waitFor();
  await app.evaluate(({ shell }) => {
    const handed: string[] = [];
    Reflect.set(globalThis, 'handed', handed);
    shell.openExternal = async (address) => void handed.push(address);
    shell.openPath = async (place) => String(handed.push(place));
  });
  const found = await page.evaluate(async () => {
    const view = document.createElement('webview');
    view.setAttribute('src', 'https://example.org/');
    view.setAttribute('allowpopups', '');
    view.setAttribute('nodeintegration', '');
    document.body.append(view);
    const frame = document.createElement('iframe');
    frame.src = 'file:///etc/hostname';
    document.body.append(frame);
    for (const address of [
      'https://example.org/',
      'file:///etc/hostname',
      'mailto:a@example.org',
      'millrace://pack?uri=a@b',
    ]) {
      const link = document.createElement('a');
      Object.assign(link, { href: address, target: '_blank' });
      document.body.append(link);
      link.click();
    }
    const isRead = await fetch('file:///etc/hostname').then(
      () => true,
      () => false,
    );
    return { isView: 'loadURL' in view, isRead, frameText: frame.contentDocument?.body.textContent ?? '' };
  });
  expect(found).toEqual({ isView: false, isRead: false, frameText: '' });
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
  expect(await app.evaluate(() => Reflect.get(globalThis, 'handed'))).toEqual([]);
  expect(app.windows()).toHaveLength(1);
});

test('stays on its own page, whatever the page requests', async ({ program }) => {
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

test('rejects calls that are not in the contract, and calls of other pages', async ({ program }) => {
  const { app, page } = await program.start();
  await page.getByRole('main').waitFor();
  const calls: readonly [string, unknown][] = [
    ['no.such.method', []],
    ['constructor', []],
    ['__proto__', []],
    ['app.info', [{ extra: 1 }]],
    ['app.info', undefined],
    ['settings.setTheme', [{ theme: 'pink' }]],
    ['workspace.open', [{ path: '' }]],
    ['workspace.open', [{ path: ['/'] }]],
  ];
  const call = (list: typeof calls) => {
    const bridge = Reflect.get(globalThis, 'bridge') as {
      call(name: string, args: unknown): Promise<{ ok: boolean; error?: { code: string } }>;
    };
    return Promise.all(
      list.map(async ([name, args]) => {
        const reply = await bridge.call(name, args);
        return reply.ok ? 'answered' : reply.error?.code;
      }),
    );
  };
  const unknown = 'rpc.unknown-method';
  const bad = 'rpc.bad-params';
  expect(await page.evaluate(call, calls)).toEqual([unknown, unknown, unknown, bad, bad, bad, bad, bad]);

  const info: typeof calls = [['app.info', []]];
  // A window that the program did not create, with the program's preload, first on a foreign page and then on ours.
  const [foreign] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(async ({ app: electronApp, BrowserWindow }) => {
      const preload = `${electronApp.getAppPath()}/out/preload/preload.cjs`;
      await new BrowserWindow({ webPreferences: { preload } }).loadURL('data:text/html,<title>foreign</title>');
    }),
  ]);
  expect(await foreign.evaluate(call, info)).toEqual(['rpc.refused']);
  await app.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().startsWith('data:'));
    await window?.loadURL('app://millrace/');
  });
  // The previous page may take a moment to unload.
  await expect.poll(() => foreign.evaluate(call, info).catch(() => [])).toEqual(['rpc.refused']);
  expect(foreign.url()).toMatch(/^app:/);
});

test('the engine validates every call of a page and restricts it to the workspace', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('inside') });
  await writeFile(path.join(workspace, '..', 'outside.flow.yaml'), echoFlow('outside'));
  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  const start = { text: echoFlow('x'), inputs: {} };
  const calls: readonly [name: string, args: unknown, code: string][] = [
    ['no.such.method', [], 'rpc.unknown-method'],
    ['toString', [], 'rpc.unknown-method'],
    ['__proto__', [], 'rpc.unknown-method'],
    ['close', [], 'rpc.unknown-method'],
    ['sendMessage', ['r1', 'x'], 'rpc.unknown-method'],
    ['listRuns', [{ limit: '10' }], 'rpc.bad-params'],
    ['listRuns', [{ limit: 10, extra: true }], 'rpc.bad-params'],
    ['cancelRun', [], 'rpc.bad-params'],
    ['readValue', ['../../etc/passwd'], 'rpc.bad-params'],
    ['startRun', [{ ...start, path: '/etc/hostname' }], 'rpc.bad-params'],
    ['startRun', [{ ...start, path: '../outside.flow.yaml' }], 'rpc.bad-params'],
    ['startRun', [{ ...start, path: 'echo.flow.yaml', maxParallel: 5 }], 'rpc.bad-params'],
    ['startRun', { ...start, path: 'echo.flow.yaml' }, 'rpc.bad-params'],
    ['readFlow', ['/etc/hostname'], 'files.outside'],
    ['readFlow', ['../outside.flow.yaml'], 'files.outside'],
    ['redo', [{ runId: '../1' }], 'run.not-found'],
    ['readFlow', ['echo.flow.yaml'], 'answered'],
  ];
  const codes = await page.evaluate(askEngine, calls);
  expect(codes).toEqual(calls.map(([name, , code]) => `${name}: ${code}`));
});

test("never shows a provider's key, even if the provider quotes it", async ({ program }) => {
  const key = 'sk-e2e-4711-do-not-show';
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `Incorrect key: ${request.headers.authorization}` } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const workspace = await program.makeWorkspace({
    'ask.flow.yaml':
      'flow: { name: Ask }\nnodes: [{ id: ask, type: prompt, config: { model: "here::m" }, input: { prompt: "?" } }]\nedges: []\n',
  });
  await writeFile(
    path.join(program.folders.home, 'config-user.toml'),
    `[providers.here]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key_env = "HERE_KEY"\n`,
  );
  const { app, page } = await program.start(['--workspace', workspace], { env: { HERE_KEY: key } });
  let logs = '';
  for (const stream of [app.process().stdout, app.process().stderr]) stream?.on('data', (data) => (logs += data));
  await openFlow(page, 'ask');
  await run(page);
  await expectRun(page, 'failed');
  await card(page, 'ask').click();
  await expect(inspector(page)).toContainText('refused the key');
  expect(seen).toEqual([`Bearer ${key}`]);
  expect(await page.content()).not.toContain(key);
  await app.close();
  server.close();
  expect(logs).not.toContain(key);
  for (const file of ['runs.db', 'runs.db-wal']) {
    const stored = await readFile(path.join(workspace, '.millrace', file)).catch(() => Buffer.alloc(0));
    expect(stored.includes(key)).toBe(false);
  }
});

test('is packaged with the fuses named in electron-builder.yml', async () => {
  const settings = await readFile(path.join(import.meta.dirname, '..', 'electron-builder.yml'), 'utf8');
  const { electronFuses } = parse(settings);
  const wire = await getCurrentFuseWire(process.env['MILLRACE_RELEASED_EXECUTABLE'] ?? '');
  const isOn = (option: FuseV1Options): boolean => wire[option] === '1'.charCodeAt(0);
  expect({
    runAsNode: isOn(FuseV1Options.RunAsNode),
    enableCookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
    enableNodeOptionsEnvironmentVariable: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    enableNodeCliInspectArguments: isOn(FuseV1Options.EnableNodeCliInspectArguments),
    enableEmbeddedAsarIntegrityValidation: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyLoadAppFromAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
    loadBrowserProcessSpecificV8Snapshot: isOn(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
    grantFileProtocolExtraPrivileges: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual(electronFuses);
});
