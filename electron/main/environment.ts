/**
 * Environment variables of the desktop program. The engine's variables are documented separately.
 */

/** `INIT_CWD`: the folder in which the user called npm. npm sets it and itself runs in the package folder. */
export const npmStartFolder = process.env['INIT_CWD'];

/**
 * `MILLRACE_EXAMPLES_DIR`: where the first start creates the example workspace, instead of `Millrace/examples` in the
 * user's documents. For tests, and for machines where the documents folder must not change.
 */
export const examplesFolder = process.env['MILLRACE_EXAMPLES_DIR'];

/**
 * `MILLRACE_ALLOW_DEBUGGING=1`: enables `--remote-debugging-port`, through which tests control the program. Without it
 * the switch is removed, because anyone with access to that port can do everything the page can. With it, keys can be
 * stored with weak encryption on a machine without a keyring.
 */
export const isDebuggingAllowed = process.env['MILLRACE_ALLOW_DEBUGGING'] === '1';

/**
 * `MILLRACE_LANGUAGE=pseudo`: shows windows in the pseudo-language, in which tests look for text that cannot be translated or does not
 * fit. Takes precedence over the user's choice.
 */
export const forcedLanguage = process.env['MILLRACE_LANGUAGE'] === 'pseudo' ? 'pseudo' : undefined;
