/**
 * Opens a history that several machines share.
 */
import { openSharedHistory } from '../../history/postgres/open-shared-history.ts';
import type { SharedHistory, SharedHistoryOptions } from '../../history/postgres/shared-history.ts';

/** The caller must close it. @throws EngineError `store.*` */
export function openHistory(options: SharedHistoryOptions): Promise<SharedHistory> {
  return openSharedHistory(options);
}
