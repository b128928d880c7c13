/**
 * Opens files of the workspace as what they are.
 */
import type { DocumentKind } from '../stores/checked-text.ts';
import type { Stores } from '../stores/stores.ts';

/** What a file of the workspace is, by its name. */
export function kindOfPath(path: string): DocumentKind {
  if (/\.flow\.ya?ml$/.test(path)) return 'flow';
  return path.endsWith('.aip') ? 'agent' : 'file';
}

/** Opens a file in a tab, or comes back to it. */
export async function openPath({ openFlows }: Pick<Stores, 'openFlows'>, path: string): Promise<void> {
  await openFlows.getState().open(path, kindOfPath(path));
}
