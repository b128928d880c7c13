/**
 * Scripts, loaded with the first of them: most runs have none, and what scripts can do takes longer to load than a small
 * run.
 */
import type { ProbeScripts } from '../agent/script-findings.ts';
import type { ScriptsCapability } from '../kernel/agent-capabilities.ts';
import type { ScriptWorld } from '../script/script-world.ts';

export interface LazyScripts {
  readonly scripts: ScriptsCapability;
  /** Checks scripts without running them. */
  readonly probe: ProbeScripts;
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
    probe: async (scripts, names) => await (await load()).probe(scripts, names),
    close: async () => await (await loading)?.close(),
  };
}
