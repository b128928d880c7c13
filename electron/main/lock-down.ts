/**
 * What a page may never do, whatever runs in it.
 */
import { app, type Session, type WebContents } from 'electron';

/** The one permission pages have: to put text on the clipboard when the user presses a copy button. */
const grantedPermission = 'clipboard-sanitized-write';

/** Refuses navigation, new windows and web views in all pages that are going to be made. */
export function lockDownPages(pageUrl: string): void {
  app.on('web-contents-created', (_event, contents) => lockDown(contents, pageUrl));
}

function lockDown(contents: WebContents, pageUrl: string): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    if (event.url !== pageUrl) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Refuses permissions and downloads. */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, decide) => decide(permission === grantedPermission));
  session.setPermissionCheckHandler((_contents, permission) => permission === grantedPermission);
  session.on('will-download', (event) => event.preventDefault());
}
