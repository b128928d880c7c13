/**
 * Opens files of the workspace as what they are.
 */

import type { Stores } from '../../stores/stores.ts';
import { kindOfPath } from '../../stores/text/paths.ts';

/** Opens a file in a tab, or comes back to it. */
export async function openPath({ openFiles }: Pick<Stores, 'openFiles'>, path: string): Promise<void> {
  await openFiles.getState().open(path, kindOfPath(path));
}
