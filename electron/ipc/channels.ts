/**
 * Names that Electron's own message ways carry between a page and the main process.
 */

/** Page to main, asked and answered: `{ name, args }` → `Reply`. */
export const callChannel = 'millrace:call';
/** Main to page: push messages. */
export const pushChannel = 'millrace:push';
/** Main to preload: a fresh port to the engine host. */
export const enginePortChannel = 'millrace:engine-port';

/** `data.type` of the window message with which the preload hands the port (`event.ports[0]`) to the page. */
export const enginePortMessage = 'millrace:engine-port';

/** Where the page comes from. */
export const pageOrigin = 'app://millrace';
/** The page of every window. */
export const pageUrl = `${pageOrigin}/`;
