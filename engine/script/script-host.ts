/**
 * What the engine answers to one script.
 */
import type { ScriptScope } from '../kernel/capabilities.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { documentCalls } from './document-calls.ts';
import { effectCalls } from './effect-calls.ts';
import { fileCalls } from './file-calls.ts';
import { fileWriteCalls } from './file-write-calls.ts';
import { runCalls } from './run-calls.ts';
import { createScriptAccess } from './script-access.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { zipCalls } from './zip-calls.ts';

/**
 * Makes the host of a script. It is light: folders are looked at when the script first uses a path.
 *
 * Its calls throw EngineError: `effect.denied` for what the policy refuses, `files.*` for what cannot be read or written,
 * `command.*`, `web.*`, `documents.*`, `pack.*`, `lua.refused-argument`; the signal's reason when it aborts.
 */
export function createScriptHost(options: ScriptHostOptions, scope: ScriptScope): ScriptHost {
  const access = createScriptAccess(options, scope);
  const taskId = scope.taskId === undefined ? {} : { taskId: scope.taskId };
  const announce = (text: string): void => scope.hub.emit({ type: 'log', level: 'info', text, ...taskId });
  return {
    ...fileCalls(access),
    ...fileWriteCalls(access, options.trash, announce),
    ...documentCalls(access),
    ...zipCalls(access),
    ...effectCalls(access, options, announce),
    ...runCalls(options, scope, access),
  };
}
