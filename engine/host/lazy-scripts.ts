/**
 * Scripts, loaded with the first of them: most runs have none, and what scripts can do takes longer to load than a small
 * run.
 */
import type { ScriptHostOptions } from '../script/script-host-options.ts';
import type { ScriptParts } from './script-parts.ts';

/** Nothing is loaded or started yet. */
export function createLazyScripts(options: ScriptHostOptions): ScriptParts {
  let loading: Promise<ScriptParts> | undefined;
  const load = (): Promise<ScriptParts> => {
    loading ??= import('./script-parts.ts').then(({ createScriptParts }) => createScriptParts(options));
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
