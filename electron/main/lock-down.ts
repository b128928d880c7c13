/**
 * What a page may never do, whatever runs in it.
 */
import { app, type Session, type WebContents } from 'electron';

/** All that pages may do: copy text, and paste it when the user asks for that by key, menu or button. */
const grantedPermissions: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'clipboard-read']);

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
  session.setPermissionRequestHandler((_contents, permission, decide) => decide(grantedPermissions.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => grantedPermissions.has(permission));
  session.on('will-download', (event) => event.preventDefault());
}
