/**
 * Tests what a compromised page still cannot do: send data, read the clipboard by itself, navigate away, or block a
 * call.
 */
import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { expect } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { test } from './program.ts';
import { openFlow } from './window.ts';

/** Listens on this machine and counts the received connections and packets. */
interface Listener {
  readonly port: number;
  readonly reached: () => number;
  close(): void;
}

async function listenUdp(): Promise<Listener> {
  let count = 0;
  const socket: Socket = createSocket('udp4');
  socket.on('message', () => count++);
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, reached: () => count, close: () => socket.close() };
}

async function listenTcp(): Promise<Listener> {
  let count = 0;
  const server: Server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, reached: () => count, close: () => server.close() };
}

/** Runs in the page: tries WebRTC with all types of servers, in the page and in an empty frame. */
async function tryWebRtc({ udp, tcp }: { udp: number; tcp: number }): Promise<string[]> {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const found: string[] = [];
  for (const place of [window, frame.contentWindow] as Window[]) {
    const Connection: typeof RTCPeerConnection = Reflect.get(place, 'RTCPeerConnection');
    const credentials = { username: 'a', credential: 'b' };
    const caller = new Connection({
      iceServers: [
        { urls: `stun:127.0.0.1:${udp}` },
        { urls: `turn:127.0.0.1:${udp}`, ...credentials },
        { urls: `turn:127.0.0.1:${tcp}?transport=tcp`, ...credentials },
      ],
    });
    caller.onicecandidate = ({ candidate }) => void (candidate === null || found.push(candidate.candidate));
    caller.createDataChannel('x');
    await caller.setLocalDescription(await caller.createOffer());
    const callee = new Connection();
    await callee.setRemoteDescription(caller.localDescription as RTCSessionDescription);
    await callee.setLocalDescription(await callee.createAnswer());
    await caller.setRemoteDescription(callee.localDescription as RTCSessionDescription);
    const candidate = `candidate:1 1 udp 2122260223 127.0.0.1 ${udp} typ host`;
    await caller.addIceCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 });
  }
  // Without the restriction, the first packets arrive within milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  return found;
}

test('starts without violating its own content policy', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('alive') });
  const { page } = await program.open(workspace);
  await page.addInitScript(() => {
    Reflect.set(globalThis, 'violations', []);
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      Reflect.get(globalThis, 'violations').push(`${violatedDirective} ${blockedURI}`);
    });
  });
  await page.reload();
  await page.locator('.react-flow__node').waitFor();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'violations'))).toEqual([]);
});

test('sends nothing over WebRTC, by UDP or TCP, or through connection hints', async ({ program }) => {
  const [udp, tcp] = await Promise.all([listenUdp(), listenTcp()]);
  const { page } = await program.start();
  await page.getByRole('main').waitFor();
  expect(await page.evaluate(tryWebRtc, { udp: udp.port, tcp: tcp.port })).toEqual([]);
  await page.evaluate(async (port) => {
    for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'prerender', 'icon']) {
      const link = Object.assign(document.createElement('link'), {
        rel,
        href: `http://127.0.0.1:${port}/`,
        as: 'script',
      });
      document.head.append(link);
    }
    const attempts = [
      () => new WebSocket(`ws://127.0.0.1:${port}`),
      () => navigator.sendBeacon(`http://127.0.0.1:${port}`, 'x'),
      () => Object.assign(new Image(), { src: `http://127.0.0.1:${port}/x.png` }),
    ];
    for (const attempt of attempts) {
      try {
        attempt();
      } catch {
        // Rejected synchronously.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }, tcp.port);
  expect({ udp: udp.reached(), tcp: tcp.reached() }).toEqual({ udp: 0, tcp: 0 });
  udp.close();
  tcp.close();
});

/** Runs in the page: returns the result of each way to read the clipboard. */
async function readClipboard(): Promise<string[]> {
  const area = document.createElement('textarea');
  document.body.append(area);
  area.focus();
  const byCommand = document.execCommand('paste') ? area.value : 'refused';
  area.remove();
  const refused = () => 'refused';
  return [
    byCommand,
    await navigator.clipboard.readText().catch(refused),
    await navigator.clipboard.read().then((items) => `${items.length} items`, refused),
    await navigator.permissions.query({ name: 'clipboard-read' as PermissionName }).then(({ state }) => state),
  ];
}

test('reads the clipboard only right after a user action, and only once', async ({ program }) => {
  const { app, page } = await program.start();
  await page.getByRole('main').waitFor();
  await app.evaluate(({ clipboard, BrowserWindow }) => {
    clipboard.writeText('a password');
    BrowserWindow.getAllWindows()[0]?.webContents.focus();
  });
  const nothing = ['refused', 'refused', 'refused', 'denied'];
  expect(await page.evaluate(readClipboard)).toEqual(nothing);
  // Created by the page itself.
  await page.evaluate(() => {
    document.body.click();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'v', ctrlKey: true, bubbles: true }));
  });
  expect(await page.evaluate(readClipboard)).toEqual(nothing);
  await page.keyboard.press('Shift');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('a password');
  expect(await page.evaluate(readClipboard)).toEqual(nothing);
});

test('cannot be navigated to an empty page, another address or another window', async ({ program }) => {
  const { app, page } = await program.start();
  await page.getByRole('main').waitFor();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const attempts = [
    "location.href = 'about:blank'",
    "location.replace('about:blank#x')",
    "location.href = 'about:srcdoc'",
    "window.open('about:blank', '_self')",
    "location.href = 'data:text/html,x'",
    "location.href = URL.createObjectURL(new Blob(['x'], { type: 'text/html' }))",
    "location.href = 'javascript:document.body.remove()'",
    "location.href = 'file:///etc/hostname'",
    "location.href = 'https://example.org/'",
    "location.href = 'app://millrace/index.html'",
    "history.pushState(null, '', '/elsewhere')",
    "document.body.append(Object.assign(document.createElement('a'), { href: 'about:blank' })); document.body.lastChild.click()",
    "document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=about:blank' }))",
    "document.body.append(Object.assign(document.createElement('iframe'), { id: 'f' })); f.contentWindow.open('about:blank', '_top')",
    "f.contentDocument.body.append(Object.assign(f.contentDocument.createElement('a'), { href: 'about:blank', target: '_top' })); f.contentDocument.body.lastChild.click()",
    "window.open('about:blank')",
    "window.open('')",
    "window.open('app://millrace/')",
    "window.open('about:blank', 'x', 'noopener,popup')",
    "document.body.append(Object.assign(document.createElement('a'), { href: 'app://millrace/', target: '_blank' })); document.body.lastChild.click()",
  ];
  for (const attempt of attempts) {
    await app.evaluate(
      ({ BrowserWindow }, code) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(`try { ${code}; } catch {} 0`, true),
      attempt,
    );
    // Leaves time for a navigation. No event signals that none happened.
    await page.waitForTimeout(150);
    const after = await page.evaluate(() => `${location.href} ${'isSamePage' in window}`);
    expect(`${attempt}: ${after}`).toBe(`${attempt}: app://millrace/ true`);
  }
  expect(app.windows()).toHaveLength(1);
  // Reloading is allowed and does not leave the page.
  await Promise.all([page.waitForEvent('load'), page.evaluate(() => location.reload())]);
  await expect(page.getByRole('main')).toBeVisible();
});

test('recovers from an empty page that a frame of another origin navigated it to', async ({ program }) => {
  const { app, page } = await program.start();
  await page.getByRole('main').waitFor();
  await app.evaluate(async ({ BrowserWindow }) => {
    await BrowserWindow.getAllWindows()[0]
      ?.webContents.loadURL('about:blank')
      .catch(() => undefined);
  });
  await expect(page.getByRole('main')).toBeVisible();
  expect(page.url()).toBe('app://millrace/');
});

/**
 * Runs in the page: sends values that only structured cloning supports to main and the engine, and waits for the
 * replies.
 */
async function sendOddThings(): Promise<string[]> {
  const odd: unknown[] = [
    new Blob(['x']),
    new File(['x'], 'x'),
    new Map(),
    new Date(),
    new ImageData(1, 1),
    new DOMRect(),
    new Error('x'),
    document.createElement('input').files,
    await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']),
    await createImageBitmap(new ImageData(1, 1)),
  ];
  const bridge = Reflect.get(window, 'bridge');
  const taken = new Promise<MessagePort>((resolve) => {
    window.addEventListener('message', ({ ports: [port] }) => port && resolve(port), { once: true });
  });
  await bridge.call('engine.connect', []);
  const port = await taken;
  port.start();
  const answers: string[] = [];
  for (const thing of odd) {
    const byMain = await bridge.call('settings.setTheme', [{ theme: thing }]);
    const id = 1_000_000 + answers.length;
    // Replies to the page's regular calls arrive on this port too. The reply to an unreadable message has no call
    // number.
    const byEngine = new Promise<{ code: string } | undefined>((resolve) => {
      port.addEventListener('message', ({ data }) => {
        if (data.kind === 'reply' && (data.id === id || data.id === null)) resolve(data.reply.error);
      });
    });
    port.postMessage({ kind: 'call', id, name: 'readFile', args: [thing] });
    answers.push(`${byMain.error?.code} ${(await byEngine)?.code}`);
  }
  return answers;
}

test('main and the engine return an error for values that a call cannot carry', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('alive') });
  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  const answers = await page.evaluate(sendOddThings);
  expect(answers).toHaveLength(10);
  for (const answer of answers) expect(answer).toMatch(/^rpc\.bad-params rpc\.(bad-params|unreadable)$/);
});
