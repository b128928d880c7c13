/**
 * Names of the Electron IPC channels between a page and the main process.
 */

/** Page to main, request and reply: `{ name, args }` → `Reply`. */
export const callChannel = 'millrace:call';
/** Main to page: push messages. */
export const pushChannel = 'millrace:push';
/** Main to preload: a new port to the engine host. */
export const enginePortChannel = 'millrace:engine-port';

/** `data.type` of the window message with which the preload passes the port (`event.ports[0]`) to the page. */
export const enginePortMessage = 'millrace:engine-port';

/** The origin of the page. */
export const pageOrigin = 'app://millrace';
/** The URL of the page in every window. */
export const pageUrl = `${pageOrigin}/`;

/** The origin of the documentation, which has a separate window and session. */
export const docsOrigin = 'app://docs';
