/**
 * The window that shows the documentation. It has a separate session without network access, and no access to the
 * program: no preload, no calls.
 */
import { BrowserWindow, type Input, session, type WebContents } from 'electron';
import { docsOrigin } from '../../ipc/channels.ts';
import { docsFolder } from '../program-paths.ts';
import { serveDocs } from './app-protocol.ts';
import { pagePreferences, windowBackground } from './app-window.ts';
import { lockDownDocs } from './lock-down.ts';

/** The documentation, in at most one window. */
export interface DocsWindow {
  /** Shows a page in front of all other windows. @param page path, such as `nodes/prompt.html`; the index if absent */
  open(page?: string): void;
  /** Changes the size of the text. 1 = 100 % */
  setZoom(factor: number): void;
  /** Changes the background that is visible before a page is drawn. */
  repaintGround(): void;
  close(): void;
}

/** @param zoom returns the factor for new pages */
export function createDocsWindow(zoom: () => number): DocsWindow {
  let window: BrowserWindow | undefined;
  const reveal = (): BrowserWindow => {
    if (window === undefined) {
      window = openWindow(zoom);
      window.on('closed', () => {
        window = undefined;
      });
    }
    if (window.isMinimized()) window.restore();
    window.focus();
    return window;
  };
  return {
    // Rejects if the window closes in the meantime.
    open: (page = '') =>
      void reveal()
        .loadURL(`${docsOrigin}/${page}`)
        .catch(() => undefined),
    setZoom: (factor) => window?.webContents.setZoomFactor(factor),
    repaintGround: () => window?.setBackgroundColor(windowBackground()),
    close: () => window?.close(),
  };
}

/** In memory: nothing of it is written to disk. */
const partition = 'docs';
let isServed = false;

function docsSession(): Electron.Session {
  const own = session.fromPartition(partition);
  if (!isServed) {
    lockDownDocs(own);
    serveDocs(own, docsFolder);
    isServed = true;
  }
  return own;
}

function openWindow(zoom: () => number): BrowserWindow {
  const window = new BrowserWindow({
    width: 1160,
    height: 820,
    minWidth: 360,
    minHeight: 320,
    backgroundColor: windowBackground(),
    autoHideMenuBar: true,
    webPreferences: {
      session: docsSession(),
      ...pagePreferences(),
    },
  });
  const { webContents } = window;
  webContents.on('did-navigate', () => webContents.setZoomFactor(zoom()));
  webContents.on('before-input-event', (event, input) => {
    if (goThroughHistory(webContents, input)) event.preventDefault();
  });
  return window;
}

/** Goes to the previous or next page, as browsers do. Returns whether the key was one for that. */
function goThroughHistory({ navigationHistory }: WebContents, { type, key, alt, meta }: Input): boolean {
  const hasModifier = process.platform === 'darwin' ? meta : alt;
  if (type !== 'keyDown' || !hasModifier || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false;
  if (key === 'ArrowLeft') navigationHistory.goBack();
  else navigationHistory.goForward();
  return true;
}
