/**
 * Implements `run --on`: starts a flow with Restate and shows it, like a local run.
 */

import { RestateClient } from '../../host/durable/restate-client.ts';
import { parseRestateUrl } from '../../host/durable/restate-url.ts';
import type { StartRun } from '../../host/executor/start-request.ts';
import { inMemory } from '../../index.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { followRun } from '../follow-run.ts';
import type { CliRunOptions } from './run-options.ts';
import { withEngine } from './with-engine.ts';
import { followedEngine, withShared } from './with-shared.ts';

/**
 * Starts the run and follows it until it has ended or waits for a person.
 * @param request the validated flow. @param workspace absolute path
 * @returns the exit code
 * @throws EngineError `cli.usage` | `flow.*` | `restate.*` | `store.*`
 */
export async function runOn(
  context: CliContext,
  options: CliRunOptions,
  { request, workspace }: { readonly request: StartRun; readonly workspace: string },
): Promise<number> {
  const { json, trust, on = '' } = options;
  const client = (history: string) => new RestateClient(parseRestateUrl(on), history);
  const run = await withEngine(context, { workspace, store: inMemory, trust }, (engine) => engine.prepareRun(request));
  return await withShared(context, { ...options, workspace }, async (shared) => {
    const { history, runs } = shared;
    const { autonomy, maxParallel, breakpoints } = request;
    return await followRun(context, { engine: followedEngine(shared), json }, () =>
      runs.start(
        {
          run,
          ...(autonomy === undefined ? {} : { autonomy }),
          ...(maxParallel === undefined ? {} : { maxParallel }),
          ...(breakpoints === undefined ? {} : { breakpoints }),
        },
        client(history.workspace),
      ),
    );
  });
}

/** Options of `run` that act only on this machine. */
const localFlags = {
  '--only': 'only',
  '--to': 'to',
  '--pin': 'pin',
  '--cassette': 'cassette',
  '--mode': 'mode',
  '--yes': 'yes',
  '--store': 'store',
} as const;

/**
 * Rejects options that workers cannot follow, before anything is read.
 * @throws EngineError `cli.usage`; `restate.bad-url`
 */
export function refuseLocalOptions(options: CliRunOptions): void {
  const { on = '', history } = options;
  if (history === undefined) throw usageError('--on needs --history, the history in which the workers record runs.');
  parseRestateUrl(on);
  for (const [flag, name] of Object.entries(localFlags)) {
    const value = options[name];
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined;
    if (isGiven) throw usageError(`${flag} is not available with --on, because workers run the whole flow themselves.`);
  }
}
