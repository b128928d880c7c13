/**
 * Loads the script service with the first script, because most runs have no scripts.
 */
import type { createScriptService, ScriptService } from './script-service.ts';

/** Returns a script service that loads and starts nothing until its first use. */
export function createLazyScripts(...options: Parameters<typeof createScriptService>): ScriptService {
  let loading: Promise<ScriptService> | undefined;
  const load = (): Promise<ScriptService> => {
    loading ??= import('./script-service.ts').then(({ createScriptService }) => createScriptService(...options));
    return loading;
  };
  return {
    scripts: {
      run: async (request, scope, signal) => await (await load()).scripts.run(request, scope, signal),
      readAttachment: async (path, scope, signal) => await (await load()).scripts.readAttachment(path, scope, signal),
    },
    code: { run: async (script, scope) => await (await load()).code.run(script, scope) },
    runModule: async (...asked) => await (await load()).runModule(...asked),
    probe: async (...asked) => await (await load()).probe(...asked),
    check: async (texts) => await (await load()).check(texts),
    close: async () => await (await loading)?.close(),
  };
}
