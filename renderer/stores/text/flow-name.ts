/**
 * What flows and agents are called in lists.
 */

const ending = /\.flow\.ya?ml$|\.aip$/;
const packRef = /^[\w-]+@[\w-][^\\]*$/;

/** A file's name without folders and ending; of an agent in a pack its reference. */
export function flowNameOf(path: string): string {
  if (packRef.test(path) && !ending.test(path)) return path;
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(ending, '');
}
