/**
 * Opens a shared history for a command and closes it when the command is done.
 */
import path from 'node:path';
import { openHistory } from '../../host/durable/open-history.ts';
import { parseRestateUrl, type RestatePlace } from '../../host/durable/restate-url.ts';
import { SharedRuns } from '../../host/durable/shared-runs.ts';
import { createIdSource } from '../../host/executor/id-source.ts';
import { createSharedReader } from '../../host/reads/shared-history-reads.ts';
import type { RunHistoryReader } from '../../index.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';

type SharedHistory = Awaited<ReturnType<typeof openHistory>>;

/** A shared history, and the runs in it. */
export interface Shared {
  readonly history: SharedHistory;
  readonly runs: SharedRuns;
  readonly reads: RunHistoryReader;
  /** Undefined without `--on`. */
  readonly restate: RestatePlace | undefined;
}

/** Calls `use` with the shared history. @throws EngineError `cli.usage` | `restate.bad-url` | `store.*` */
export async function withShared<T>(
  context: CliContext,
  options: GlobalOptions & SharedOptions,
  use: (shared: Shared) => Promise<T>,
): Promise<T> {
  const { on, history: url, store } = options;
  if (url === undefined) throw usageError('--on needs --history, the history in which the workers record runs.');
  if (store !== undefined) throw usageError('Use either --store or --history.');
  const restate = on === undefined ? undefined : parseRestateUrl(on);
  const workspace = restate?.workspace ?? path.basename(resolveWorkspace(context, options));
  const history = await openHistory({ url, workspace });
  const { terminal, clock } = context;
  const onNote = ({ message }: { readonly message: string }): void => terminal.err(`note: ${message}`);
  try {
    const runs = new SharedRuns({ history, clock, ids: createIdSource(clock), onNote });
    return await use({ history, runs, reads: createSharedReader(history), restate });
  } finally {
    await history.close();
  }
}

/** Returns the parts that following a run needs. Only local agents request redos. */
export function followedEngine({ runs, reads }: Shared) {
  return {
    readEvents: reads.readEvents,
    subscribe: runs.subscribe.bind(runs),
    whenEnded: runs.whenEnded.bind(runs),
    cancelRun: runs.cancelRun.bind(runs),
    whenRedone: () => Promise.resolve(undefined),
  };
}
