/**
 * The version of this program: that of `package.json`, which a test compares. Not read from there, because each of the
 * program's bundles would have to know where it lies.
 */
export const programVersion = '0.1.0';
