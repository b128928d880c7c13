/**
 * Functions that the prelude needs of us and scripts never see.
 */
import { LuaResults } from '../api-module.ts';
import type { ErrorValues } from './error-values.ts';
import type { LuaCore } from './lua-core.ts';
import type { Native } from './natives.ts';

function notFound(module: string): string {
  const file = module.replaceAll('.', '/');
  const folders = 'beside the agent file or in its pack';
  return `module '${module}' not found:\n\tno file 'lua/${file}.lua' ${folders}\n\tno file 'lua/${file}/init.lua' ${folders}`;
}

/** @param onSource is told the text of each module that a script loads, and its file */
export function createInternals(
  { text }: LuaCore,
  errors: ErrorValues,
  onSource: (file: string, source: string) => void,
): Readonly<Record<string, Native>> {
  return {
    log: {
      name: 'print',
      call: ([line], { host }) => {
        host('log', { level: 'print', text: String(line ?? '') });
        return undefined;
      },
    },
    require_source: {
      name: 'require',
      call: ([name], { host }) => {
        const module = String(name);
        const found = host('script.require', { module });
        if (found === null) return new LuaResults(undefined, notFound(module));
        onSource(found.file, found.source);
        return new LuaResults(found.source, found.file);
      },
    },
    /** Processor time cannot be had in a thread; the time since its start serves the same ends. */
    clock: { name: 'os.clock', call: () => performance.now() / 1000 },
    error_message: {
      name: 'tostring',
      onStack: (L) => {
        text.push(L, errors.read(L, 1)?.message ?? 'error');
        return 1;
      },
    },
  };
}
