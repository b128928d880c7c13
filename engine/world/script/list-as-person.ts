/**
 * Lists files for the program's user, with the same globs as scripts. The user may read any file they name.
 */
import { join } from 'node:path';
import { asRunId, asSessionId } from '../../base/ids.ts';
import type { ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import type { FileInfoValue } from '../lua/host-calls.ts';
import { listFiles } from './list-files.ts';
import { createScriptAccess } from './script-access.ts';
import type { ScriptHostOptions } from './script-host-options.ts';

/**
 * Returns the files that match absolute globs, with relative paths inside the workspace. If `isTrusted` returns false,
 * only files that a script could read.
 * @throws EngineError `effect.denied`
 */
export async function listAsPerson(
  options: ScriptHostOptions,
  globs: readonly string[],
): Promise<readonly FileInfoValue[]> {
  // Events are discarded, because users do not need a record of their requests.
  const { hub, close } = createHub({ runId: asRunId('inputs'), sessionId: asSessionId('inputs') });
  const scope: ScriptScope = {
    place: { name: 'inputs', file: join(options.workspace, 'inputs'), shownPath: 'inputs' },
    runId: hub.runId,
    hub,
    depth: 0,
    isDry: false,
  };
  try {
    const access = createScriptAccess(options, scope);
    return await listFiles(access, { globs, hasDefaultExcludes: true }, new AbortController().signal);
  } finally {
    close();
  }
}
