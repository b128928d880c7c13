/**
 * Names of copies.
 */

/** Endings that belong together: a copy of `a.flow.yaml` is a flow, too. */
const doubleEndings = /(?:\.(?:flow|test|spec|d|tar))?\.[^.]+$/i;

/**
 * The name of a file's copy: `name-copy.md`, then `name-copy-2.md`.
 * @param number from 1
 * @param isFolder then a dot in the name begins no ending
 */
export function copyName(name: string, number: number, isFolder: boolean): string {
  const ending = isFolder ? '' : (doubleEndings.exec(name.replace(/^\.+/, ''))?.[0] ?? '');
  const stem = name.slice(0, name.length - ending.length);
  return `${stem}-copy${number === 1 ? '' : `-${number}`}${ending}`;
}
