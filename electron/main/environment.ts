/**
 * The environment variables that the desktop program itself heeds. (The engine has its own: see its documentation.)
 */

/**
 * `INIT_CWD`: set by npm to the folder where the user called it, while npm itself works in the package's folder.
 */
export const npmStartFolder = process.env['INIT_CWD'];

/**
 * `MILLRACE_EXAMPLES_DIR`: where the first start puts the example workspace, instead of `Millrace/examples` in the
 * user's documents. For tests, and for machines whose documents folder is not to be touched.
 */
export const examplesFolder = process.env['MILLRACE_EXAMPLES_DIR'];

/**
 * `MILLRACE_ALLOW_DEBUGGING=1`: heed `--remote-debugging-port`, by which tests drive the program. Without it the switch
 * is dropped, because whoever reaches that port can do all that the page can. Keys may then be kept on a machine without
 * a keyring, badly encrypted.
 */
export const isDebuggingAllowed = process.env['MILLRACE_ALLOW_DEBUGGING'] === '1';

/**
 * `MILLRACE_LANGUAGE=pseudo`: shows windows in the pseudo-language, in which tests look for text that cannot be translated or does not
 * fit. Takes precedence over the user's choice.
 */
export const forcedLanguage = process.env['MILLRACE_LANGUAGE'] === 'pseudo' ? 'pseudo' : undefined;
