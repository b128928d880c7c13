/**
 * The environment that scripts can read: folders, session and versions.
 */
import { join } from 'node:path';
import type { SessionId } from '../../base/ids.ts';
import { programVersion } from '../../base/program-version.ts';
import type { JsonMap } from '../../language/json/json-value.ts';

interface ContextPlaces {
  readonly workspace: string;
  readonly baseFolder: string;
  readonly sessionId: SessionId;
}

/** The version of the program that Millrace is compatible with. Packs compare their required version with it. */
const matchedVersion = '0.8.33';

/** Returns the folder for `$tmp`, which is created on the first write. */
export function tmpFolderOf({ workspace, sessionId }: Omit<ContextPlaces, 'baseFolder'>): string {
  return join(workspace, '.aipack', '.session', sessionId, 'tmp');
}

/** Returns folders, session and versions. */
export function scriptContextOf(places: ContextPlaces): JsonMap {
  const { workspace, baseFolder, sessionId } = places;
  return {
    PWD: process.cwd(),
    SESSION_UID: sessionId,
    TMP_DIR: tmpFolderOf(places),
    AIPACK_VERSION: matchedVersion,
    MILLRACE_VERSION: programVersion,
    WORKSPACE_DIR: workspace,
    WORKSPACE_AIPACK_DIR: join(workspace, '.aipack'),
    BASE_AIPACK_DIR: baseFolder,
  };
}
