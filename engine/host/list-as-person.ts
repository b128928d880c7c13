/**
 * Lists files for the person at the program, by the same globs that scripts have: what a person names, a person may read.
 */
import { join } from 'node:path';
import { asRunId, asSessionId } from '../base/ids.ts';
import type { ScriptScope } from '../kernel/capabilities.ts';
import { createHub } from '../kernel/hub.ts';
import type { FileInfoValue } from '../lua/host-calls.ts';
import { listFiles } from '../script/list-files.ts';
import { createScriptAccess } from '../script/script-access.ts';
import type { ScriptHostOptions } from '../script/script-host-options.ts';

/**
 * The files that match absolute globs; those inside of the workspace are named relative to it. Where `isTrusted` says no, only as far
 * as a script could read.
 * @throws EngineError `effect.denied`
 */
export async function listAsPerson(
  options: ScriptHostOptions,
  globs: readonly string[],
): Promise<readonly FileInfoValue[]> {
  // Nobody listens: a person needs no record of what they asked for.
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
