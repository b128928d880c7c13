/**
 * What the tabs are called.
 */
import { flowNameOf } from '../stores/flow-name.ts';

export interface TabName {
  readonly path: string;
  /** As in the list of flows; with the folder where two open flows would have the same name. */
  readonly name: string;
}

/** Names open flows by their paths, in the same order. */
export function tabNames(paths: readonly string[]): readonly TabName[] {
  const names = paths.map(flowNameOf);
  return paths.map((path, index) => {
    const name = names[index] ?? path;
    const isShared = names.indexOf(name) !== names.lastIndexOf(name);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    return { path, name: isShared && folder !== '' ? `${folder}/${name}` : name };
  });
}
