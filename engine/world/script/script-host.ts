/**
 * Handles a script's host calls.
 */
import { EngineError, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { documentCalls } from './document-calls.ts';
import { scriptDryRunOf } from './dry-run.ts';
import { effectCalls, realActs } from './effect-calls.ts';
import { fileCalls } from './file-calls.ts';
import { fileWriteCalls } from './file-write-calls.ts';
import { runCalls } from './run-calls.ts';
import { createScriptAccess } from './script-access.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { zipCalls } from './zip-calls.ts';

/**
 * Creates the host of a script. It is lightweight: folders are resolved when the script first uses a path.
 *
 * Its calls throw EngineError: `effect.denied` if the policy denies the effect, `files.*` for files that cannot be read
 * or written, `command.*`, `web.*`, `documents.*`, `pack.*`, `lua.refused-argument`; the signal's reason if it aborts.
 */
export function createScriptHost(options: ScriptHostOptions, given: ScriptScope): ScriptHost {
  let isUnseen = false;
  const markUnseen = (): void => {
    isUnseen = true;
  };
  const scope = { ...given, hub: given.hub.with({ isUnseen: () => isUnseen }), markUnseen };
  const dryRun = scriptDryRunOf(scope);
  const world = dryRun === undefined ? options : { ...options, ...dryRun.files() };
  const access = createScriptAccess(world, scope);
  const taskId = scope.taskId === undefined ? {} : { taskId: scope.taskId };
  const announce = (text: string): void => scope.hub.emit({ type: 'log', level: 'info', text, ...taskId });
  const real = realActs(options, { workspace: options.workspace, secrets: scope.secrets, runId: scope.hub.runId });
  const acts = dryRun === undefined ? real : dryRun.acts(real, announce);
  const calls = {
    ...fileCalls(access),
    ...fileWriteCalls(access, world.trash, announce),
    ...documentCalls(access),
    ...zipCalls(access),
    ...effectCalls(access, options, { acts, announce, scope }),
    ...runCalls(options, scope, access),
  };
  if (scope.isPure === true) return onlyTelling(calls);
  return scope.secrets === undefined ? calls : withoutSecrets(calls, scope.secrets);
}

/** Calls available to a pure agent: output, and its own modules. */
const telling: ReadonlySet<string> = new Set(['pin', 'label', 'log', 'script.require']);

/** Such agents have no other functions. If one obtains another function anyway, the call has no handler. */
function onlyTelling(calls: ScriptHost): ScriptHost {
  const known = Object.entries(calls).map(([name, call]) => [
    name,
    telling.has(name) ? call : () => Promise.reject(notForPure(name)),
  ]);
  return Object.fromEntries(known) as unknown as ScriptHost;
}

function notForPure(call: string): EngineError {
  return new EngineError({
    code: 'effect.denied',
    message: `An agent with the pure contract cannot access anything outside of itself, so "${call}" is not available (rule contract-pure).`,
    details: { rule: 'contract-pure', target: call },
  });
}

/** Calls that return or accept placeholders. */
const knowing: ReadonlySet<string> = new Set(['secret.get', 'web.request']);

/** Wraps the calls so that marks replace placeholders in parameters, and secret values never reach the script. */
function withoutSecrets(calls: ScriptHost, secrets: ScriptSecrets): ScriptHost {
  const masked = Object.entries(calls).map(([name, call]) => {
    // Each call keeps its own parameter and result types.
    const act = call as (params: unknown, signal: AbortSignal) => Promise<unknown>;
    const work = async (params: unknown, signal: AbortSignal): Promise<unknown> => {
      try {
        const answer = await act(knowing.has(name) ? params : secrets.mask(params), signal);
        return name === 'secret.get' ? answer : secrets.mask(answer);
      } catch (error) {
        throw EngineError.is(error) ? fromErrorRecord(secrets.mask(toErrorRecord(error))) : error;
      }
    };
    return [name, work];
  });
  return Object.fromEntries(masked) as unknown as ScriptHost;
}
