/**
 * Scripts, loaded with the first of them: most runs have none, and what scripts can do takes longer to load than a small
 * run.
 */
import type { ScriptsCapability } from '../kernel/agent-capabilities.ts';
import type { ScriptWorld } from '../script/script-world.ts';

export interface LazyScripts {
  readonly scripts: ScriptsCapability;
  /** Stops scripts that run; harmless when none ever did. */
  readonly close: () => Promise<void>;
}

/** Nothing is loaded or started yet. */
export function createLazyScripts(world: ScriptWorld): LazyScripts {
  let loading: Promise<LazyScripts> | undefined;
  const load = (): Promise<LazyScripts> => {
    loading ??= import('./script-parts.ts').then(({ createScriptParts }) => createScriptParts(world));
    return loading;
  };
  return {
    scripts: {
      run: async (request, scope, signal) => await (await load()).scripts.run(request, scope, signal),
      readAttachment: async (path, scope, signal) => await (await load()).scripts.readAttachment(path, scope, signal),
    },
    close: async () => await (await loading)?.close(),
  };
}
