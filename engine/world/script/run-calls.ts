/**
 * Scripts' host calls that concern their run: pins, labels, logs, other agents, modules.
 */
import { dirname, join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import type { AgentLocation, ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import { whileOpen } from '../files/folders/folder-holder.ts';
import { readTextFile } from '../files/read-text.ts';
import type { HostCalls, ScriptHost } from '../lua/host-calls.ts';
import { scriptError } from '../lua/script-error.ts';
import type { ScriptAccess } from './script-access.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { isWithin } from './script-paths.ts';

type ScriptRunCalls = Pick<ScriptHost, 'agent.run' | 'pin' | 'label' | 'log' | 'script.require'>;

/** The scope of a script that loads code while it runs. */
interface LoadingScope extends ScriptScope {
  /**
   * Must be called when part of the code was written by a run and no person has seen it. From then on, the hub reports
   * this.
   */
  markUnseen(): void;
}

/** Returns one script's calls that concern its run. */
export function runCalls(
  { runAgent }: Pick<ScriptHostOptions, 'runAgent'>,
  scope: LoadingScope,
  access: ScriptAccess,
): ScriptRunCalls {
  const { hub, taskId } = scope;
  const ofTask = taskId === undefined ? {} : { taskId };
  return {
    'agent.run': (params, signal) => {
      // Running an agent requires permission to read it, because its content shows in its behavior and errors.
      const admit = async ({ file }: AgentLocation): Promise<string> =>
        (await access.read({ path: file }, signal)).real;
      return runAgent(params, { scope, admit }, signal);
    },
    pin: async ({ scope: owner, ...pin }) => {
      if (owner === 'task') refuseOutsideOfTask('pin', taskId);
      hub.emit({ type: 'pin', ...pin, ...(owner === 'task' ? ofTask : {}) });
      return null;
    },
    label: async ({ scope: owner, text }) => {
      if (owner === 'task') refuseOutsideOfTask('set_label', taskId);
      hub.emit({ type: 'label', text, ...(owner === 'task' ? ofTask : {}) });
      return null;
    },
    log: async ({ level, text }) => {
      hub.emit({ type: 'log', level, text, ...ofTask });
      return null;
    },
    'script.require': ({ module }, signal) => findModule(module, { scope, access }, signal),
  };
}

function refuseOutsideOfTask(name: string, taskId: string | undefined): void {
  if (taskId !== undefined) return;
  throw scriptError(
    `Cannot call 'aip.task.${name}(...)' in a before all or after all code block. Use 'aip.run.${name}(...)' there.`,
  );
}

/** Maximum size of a module, in bytes. */
const maxModuleBytes = 16 * 1024 * 1024;

/** Searches `lua/` next to the agent file, then `lua/` of its pack. */
async function findModule(
  module: string,
  { scope, access }: { readonly scope: LoadingScope; readonly access: ScriptAccess },
  signal: AbortSignal,
): Promise<HostCalls['script.require']['result']> {
  const parts = module.split(/[./]/);
  if (!parts.every((part) => /^[\w-]+$/.test(part))) return null;
  const { file, pack } = scope.place;
  const homes = [dirname(file), ...(pack === undefined ? [] : [pack.folder])];
  for (const home of homes) {
    for (const candidate of [`${join(home, 'lua', ...parts)}.lua`, join(home, 'lua', ...parts, 'init.lua')]) {
      // A workspace pack may be a symbolic link to any folder.
      if (home === pack?.folder) await access.read({ path: candidate }, signal);
      const source = await readModule(candidate, { homes, access }, signal);
      if (source === undefined) continue;
      // The module becomes part of the script. If no person has seen it, the entire script is restricted accordingly.
      if (access.written.isUnseen(candidate, source)) scope.markUnseen();
      return { source, file: access.named(candidate) };
    }
  }
  return null;
}

/** Returns undefined if the file does not exist. */
async function readModule(
  file: string,
  { homes, access }: { readonly homes: readonly string[]; readonly access: ScriptAccess },
  signal: AbortSignal,
): Promise<string | undefined> {
  const real = await access.realPathOf(file);
  const realHomes = await Promise.all(homes.map((home) => access.realPathOf(home)));
  if (!realHomes.some((home) => isWithin(home, real))) {
    throw new EngineError({
      code: 'effect.denied',
      message: `The module ${file} was not loaded because a link leads out of the agent's folder and its pack (rule module-outside).`,
      details: { effect: 'read', rule: 'module-outside', target: file },
    });
  }
  try {
    return await whileOpen(access.holder, { real, shown: file }, (open) =>
      readTextFile(open, { maxBytes: maxModuleBytes, shownPath: file, signal }),
    );
  } catch (error) {
    if (EngineError.is(error) && error.code === 'files.not-found') return undefined;
    throw error;
  }
}
