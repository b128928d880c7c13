/**
 * Lists the workspaces in a shared history.
 */
import { parseSharedUrl } from './connection-url.ts';
import { checkShared } from './migrate-shared.ts';
import { openPgDb } from './pg-db.ts';
import { isWorkspaceName, longestWorkspace } from './workspace-name.ts';

/** Maximum number of listed workspaces. */
const mostWorkspaces = 1000;

/**
 * Returns the names of the workspaces, sorted. Changes nothing in the database.
 * @param url as for `openSharedHistory`
 * @throws EngineError as `openSharedHistory`
 */
export async function listSharedWorkspaces(url: string): Promise<readonly string[]> {
  const db = await openPgDb(parseSharedUrl(url), 1);
  try {
    await checkShared(db);
    const rows = await db.rows<{ name: string }>(
      'SELECT name FROM millrace.workspace WHERE length(name) <= $1 ORDER BY name LIMIT $2',
      [longestWorkspace, mostWorkspaces],
    );
    // Others cannot be opened. Only another program can have written them.
    return rows.map(({ name }) => name).filter(isWorkspaceName);
  } finally {
    await db.close();
  }
}
