/**
 * Opens files of the workspace as what they are.
 */
import { kindOfPath } from '../stores/kind-of-path.ts';
import type { Stores } from '../stores/stores.ts';

/** Opens a file in a tab, or comes back to it. */
export async function openPath({ openFlows }: Pick<Stores, 'openFlows'>, path: string): Promise<void> {
  await openFlows.getState().open(path, kindOfPath(path));
}
