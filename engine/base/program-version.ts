/**
 * The version of this program, as in `package.json`, which a test compares. Not read from there, because each of the
 * program's bundles would have to know its location.
 */
export const programVersion = '0.1.0';
