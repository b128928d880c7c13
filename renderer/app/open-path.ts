/**
 * Opens files of the workspace as what they are.
 */

import type { Stores } from '../stores/stores.ts';
import { kindOfPath } from '../stores/text/paths.ts';

/** Opens a file in a tab, or comes back to it. */
export async function openPath({ openFlows }: Pick<Stores, 'openFlows'>, path: string): Promise<void> {
  await openFlows.getState().open(path, kindOfPath(path));
}
