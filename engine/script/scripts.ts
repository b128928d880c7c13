/**
 * Scripts of agents: Lua, with the engine as their host.
 */
import { basename } from 'node:path';
import { isJsonMap } from '../flowspec/json-value.ts';
import type { ScriptScope, ScriptsCapability } from '../kernel/capabilities.ts';
import { mediaTypeOf } from '../kernel/media-type.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import type { LuaRuntime } from '../lua/lua-runtime.ts';

/**
 * The host, made when the script first calls it: most scripts only compute, and its many functions take longer to make than such a
 * script. Whatever they do outside, the history holds before that the script has begun.
 */
function whenCalled(make: () => ScriptHost): ScriptHost {
  let made: ScriptHost | undefined;
  return new Proxy({} as ScriptHost, {
    get(_, name) {
      made ??= make();
      return made[name as keyof ScriptHost];
    },
  });
}

/**
 * Makes the ability to run scripts.
 * @param hostOf returns what a script may call of the engine, in its own name
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
        whenCalled(() => {
          scope.hub.flush();
          return hostOf(scope);
        }),
        { signal, ...limits },
      );
      // What stands for a secret means something to its script alone.
      return scope.secrets === undefined ? value : scope.secrets.mask(value);
    },
    async readAttachment(path, scope, signal) {
      scope.hub.flush();
      const { bytes } = await hostOf(scope)['file.readBytes']({ path }, signal);
      const fileName = basename(path);
      return { fileName, mediaType: mediaTypeOf(fileName), base64: Buffer.from(bytes).toString('base64') };
    },
  };
}
