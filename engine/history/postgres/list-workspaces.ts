/**
 * Lists the workspaces in a shared history.
 */
import { parseSharedUrl } from './connection-url.ts';
import { checkShared } from './migrate-shared.ts';
import { openPgDb } from './pg-db.ts';

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
    const rows = await db.rows<{ name: string }>('SELECT name FROM millrace.workspace ORDER BY name LIMIT $1', [
      mostWorkspaces,
    ]);
    return rows.map(({ name }) => name);
  } finally {
    await db.close();
  }
}
