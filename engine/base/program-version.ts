/**
 * The version of this program. A test compares it with `package.json`. It is not read from that file, because each of
 * the program's bundles would have to know the file's location.
 */
export const programVersion = '0.1.0';
