/**
 * Restricts what pages can do, whatever code runs in them.
 */
import { app, type InputEvent, type Session, type WebContents } from 'electron';
import { docsOrigin } from '../../ipc/channels.ts';

/** Permissions that pages always have: copying text. */
const grantedPermissions: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/**
 * Blocks network access by pages, and clipboard access through the legacy paste command. Must run before the app is
 * ready, because Chromium reads its switches once. The page's policy already blocks requests. These switches also block
 * access that no policy covers, such as WebRTC connections over TCP and DNS lookups. Engine hosts contact models
 * through their own network stack.
 */
export function lockDownChromium(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.commandLine.appendSwitch('blink-settings', 'DOMPasteAllowed=false');
}

/** Sessions that only show the documentation. */
const docsSessions = new WeakSet<Session>();

/**
 * Restricts a session to the documentation: it has no permissions, saves nothing and loads nothing else. Its pages may
 * navigate to each other.
 */
export function lockDownDocs(session: Session): void {
  docsSessions.add(session);
  lockDownSession(session);
  session.webRequest.onBeforeRequest(({ url }, respond) => respond({ cancel: !isDocs(url) }));
}

function isDocs(url: string): boolean {
  return url.startsWith(`${docsOrigin}/`);
}

/** Blocks navigation to other pages, new windows, web views and WebRTC over UDP in all future pages. */
export function lockDownPages(pageUrl: string): void {
  app.on('web-contents-created', (_event, contents) => {
    if (docsSessions.has(contents.session)) lockDown(contents, `${docsOrigin}/`, isDocs);
    else lockDown(contents, pageUrl, (url) => url === pageUrl);
  });
}

/** @param startUrl page that replaces an empty one */
function lockDown(contents: WebContents, startUrl: string, mayShow: (url: string) => boolean): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    if (!mayShow(event.url)) event.preventDefault();
  });
  // Electron emits no event before it navigates to an address such as about:blank. The preload blocks such navigation.
  // If a frame of another origin has navigated the page there, the page is reloaded.
  contents.on('did-navigate', (_event, url) => {
    // Rejects if the window closes in the meantime.
    if (url.startsWith('about:')) contents.loadURL(startUrl).catch(() => undefined);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  watchGestures(contents);
}

/** How long after a key or button press the page may read the clipboard, in milliseconds. */
const gestureMs = 2000;

/** Time (`performance.now()`) of a page's last key or button press that has not yet been used to read the clipboard. */
const lastGestures = new WeakMap<WebContents, number>();

const gestures: ReadonlySet<InputEvent['type']> = new Set([
  'rawKeyDown',
  'keyDown',
  'mouseDown',
  'mouseUp',
  'touchEnd',
]);

/** Uses events of the browser process, which a page cannot forge. */
function watchGestures(contents: WebContents): void {
  contents.on('input-event', (_event, { type }) => {
    if (gestures.has(type)) lastGestures.set(contents, performance.now());
  });
}

function hasGesture(contents: WebContents | null): boolean {
  const last = contents === null ? undefined : lastGestures.get(contents);
  return last !== undefined && performance.now() - last <= gestureMs;
}

/** Denies permissions and downloads. */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, decide) => {
    const isPasting = permission === 'clipboard-read' && hasGesture(contents);
    // Each gesture permits one read.
    if (isPasting) lastGestures.delete(contents);
    decide(isPasting || grantedPermissions.has(permission));
  });
  session.setPermissionCheckHandler(
    (contents, permission) =>
      grantedPermissions.has(permission) || (permission === 'clipboard-read' && hasGesture(contents)),
  );
  session.on('will-download', (event) => event.preventDefault());
}
