/**
 * What a page may never do, whatever runs in it.
 */
import { app, type InputEvent, type Session, type WebContents } from 'electron';

/** What pages may do at any time: copy text. */
const grantedPermissions: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/**
 * Keeps pages from the network, and from the clipboard by the old command for pasting. Before the app is ready: Chromium
 * reads its switches once. Requests are held back by the page's policy already; these switches are for what no policy
 * covers, such as connections of WebRTC by TCP and looked-up names. Models are asked by engine hosts, which have a network of their own.
 */
export function lockDownChromium(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.commandLine.appendSwitch('blink-settings', 'DOMPasteAllowed=false');
}

/** Refuses navigation, new windows, web views and WebRTC by UDP in all pages that are going to be made. */
export function lockDownPages(pageUrl: string): void {
  app.on('web-contents-created', (_event, contents) => lockDown(contents, pageUrl));
}

function lockDown(contents: WebContents, pageUrl: string): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    if (event.url !== pageUrl) event.preventDefault();
  });
  // Nobody is asked about addresses such as about:blank. The preload refuses them; a page that got there all the same, by a
  // frame of another origin, comes back.
  contents.on('did-navigate', (_event, url) => {
    // Rejected when the window closes meanwhile.
    if (url.startsWith('about:')) contents.loadURL(pageUrl).catch(() => undefined);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  watchGestures(contents);
}

/** How long after a key or a button was pressed the page may read the clipboard, in milliseconds. */
const gestureMs = 2000;

/** When a person last pressed a key or a button in a page, if nothing was read for it yet; by `performance.now()`. */
const lastGestures = new WeakMap<WebContents, number>();

const gestures: ReadonlySet<InputEvent['type']> = new Set([
  'rawKeyDown',
  'keyDown',
  'mouseDown',
  'mouseUp',
  'touchEnd',
]);

/** The system's own events: a page can make others, but these come from the browser process. */
function watchGestures(contents: WebContents): void {
  contents.on('input-event', (_event, { type }) => {
    if (gestures.has(type)) lastGestures.set(contents, performance.now());
  });
}

function hasGesture(contents: WebContents | null): boolean {
  const last = contents === null ? undefined : lastGestures.get(contents);
  return last !== undefined && performance.now() - last <= gestureMs;
}

/** Refuses permissions and downloads. */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, decide) => {
    const isPasting = permission === 'clipboard-read' && hasGesture(contents);
    // One gesture, one look.
    if (isPasting) lastGestures.delete(contents);
    decide(isPasting || grantedPermissions.has(permission));
  });
  session.setPermissionCheckHandler(
    (contents, permission) =>
      grantedPermissions.has(permission) || (permission === 'clipboard-read' && hasGesture(contents)),
  );
  session.on('will-download', (event) => event.preventDefault());
}
