/**
 * Scripts in TypeScript, for tests of the code around them. The code of a script is the name of its function.
 */
import { EngineError } from '../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import type { ScriptRequest, ScriptScope, ScriptsCapability } from '../runtime/kernel/capabilities/capabilities.ts';
import type { ModelAttachment } from '../runtime/kernel/models/model-capability.ts';

/** Input of a script: its variables, the caller it acts for, and the signal that stops it. */
export interface ScriptCall {
  readonly globals: JsonMap;
  readonly scope: ScriptScope;
  readonly signal: AbortSignal;
}

export type ScriptBody = (call: ScriptCall) => JsonValue | Promise<JsonValue>;

export interface FakeScripts extends ScriptsCapability {
  /** Scripts in the order in which they started. */
  readonly ran: readonly (ScriptRequest & { readonly name: string })[];
}

/** @param attachments files that scripts may attach, by path */
export function createFakeScripts(
  bodies: Readonly<Record<string, ScriptBody>>,
  attachments: Readonly<Record<string, ModelAttachment>> = {},
): FakeScripts {
  const ran: (ScriptRequest & { name: string })[] = [];
  return {
    ran,
    async run(request, scope, signal) {
      signal.throwIfAborted();
      const name = request.code.trim();
      const body = bodies[name];
      if (body === undefined) throw new EngineError({ code: 'lua.syntax', message: `No script "${name}"` });
      ran.push({ ...request, name });
      return await body({ globals: request.globals, scope, signal });
    },
    async readAttachment(path) {
      const attachment = attachments[path];
      if (attachment !== undefined) return attachment;
      throw new EngineError({ code: 'files.not-found', message: `There is no file ${path}` });
    },
  };
}

/** A script that runs until it is stopped. */
export function untilStopped({ signal }: ScriptCall): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
