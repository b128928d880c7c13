/**
 * Runs agents' scripts: Lua with the engine as its host.
 */
import { basename } from 'node:path';
import { isJsonMap } from '../../language/json/json-value.ts';
import type { ScriptScope, ScriptsCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import { mediaTypeOf } from '../../runtime/kernel/capabilities/media-type.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import type { LuaRuntime } from '../lua/lua-runtime.ts';

type HostCall = ScriptHost[keyof ScriptHost];

/**
 * Creates the host on the first call, because most scripts make no calls, and creating the host's functions takes
 * longer than running such a script. Before the first effect, the history records that the script has started.
 */
function whenCalled(make: () => ScriptHost, { hub }: ScriptScope): ScriptHost {
  let made: ScriptHost | undefined;
  let stored: Promise<void> | undefined;
  return new Proxy({} as ScriptHost, {
    get(_, name) {
      if (made === undefined) {
        hub.flush();
        stored = hub.whenStored?.();
        made = make();
      }
      const call = made[name as keyof ScriptHost] as HostCall;
      if (stored === undefined) return call;
      return async (...given: Parameters<HostCall>) => {
        await stored;
        return await (call as (...given: unknown[]) => Promise<unknown>)(...given);
      };
    },
  });
}

/**
 * Creates the capability to run scripts.
 * @param hostOf returns the engine calls available to a script
 */
export function createScripts(
  lua: Pick<LuaRuntime, 'run'>,
  hostOf: (scope: ScriptScope) => ScriptHost,
): ScriptsCapability {
  return {
    async run({ code, globals, ...limits }, scope, signal) {
      const { CTX: scriptContext, ...variables } = globals;
      const script = {
        code,
        chunkName: scope.place.shownPath,
        globals: variables,
        scriptContext: isJsonMap(scriptContext) ? scriptContext : {},
        ...(scope.isPure === true ? { isPure: true as const } : {}),
      };
      const value = await lua.run(
        script,
        whenCalled(() => hostOf(scope), scope),
        { signal, ...limits },
      );
      // A placeholder is valid only within its script.
      return scope.secrets === undefined ? value : scope.secrets.mask(value);
    },
    async readAttachment(path, scope, signal) {
      scope.hub.flush();
      await scope.hub.whenStored?.();
      const { bytes } = await hostOf(scope)['file.readBytes']({ path }, signal);
      const fileName = basename(path);
      return { fileName, mediaType: mediaTypeOf(fileName), base64: Buffer.from(bytes).toString('base64') };
    },
  };
}
