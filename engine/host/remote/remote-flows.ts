/**
 * Returns the flows that runs in a shared history executed, in place of files of a workspace.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { type StoredDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { RemoteConnection } from './remote-connection.ts';
import { createRecordedFlows, type RecordedFlows } from './viewing-engine.ts';

/** Number of latest runs whose flows are listed. */
const mostRuns = 500;

/** Explains in the window why a flow is read-only. */
const readOnly =
  'This is the version of the latest run in the remote history. Edit the file in the workspace of its workers.';

/** Creates the methods of an engine that list and read flows. */
export function createRemoteFlows(connection: RemoteConnection): RecordedFlows {
  let known: readonly string[] = [];
  return createRecordedFlows({
    readOnly,
    async listPaths() {
      try {
        const runs = await connection.use((history) => history.listRuns({ limit: mostRuns }));
        known = [...new Set(runs.filter(({ kind }) => kind === 'flow').map(({ sourcePath }) => sourcePath))].sort();
      } catch (error) {
        // Without a connection, the known flows stay in the list.
        if (!EngineError.is(error) || known.length === 0) throw error;
      }
      return known;
    },
    read: (path) => connection.use((history) => readDefinition(history, path)),
  });
}

async function readDefinition(history: SharedHistory, path: string): Promise<StoredDefinition> {
  const [latest] = await history.listRuns({ sourcePath: path, limit: 1 });
  if (latest === undefined) throw notFound(path);
  const stored = await history.readText(latest.definitionHash);
  if (stored === undefined) throw notFound(path);
  return unpackDefinition(stored);
}

function notFound(path: string): EngineError {
  return new EngineError({ code: 'files.not-found', message: `No run of ${path} is in the remote history.` });
}

/** Returns the flows whose latest run has another definition than at the last call, and whether there are new runs. */
export class LatestRuns {
  readonly #hashes = new Map<string, string>();
  #newest = -1;

  /** @param runs the latest runs, newest first */
  take(runs: readonly RunSummary[]): { readonly paths: readonly string[]; readonly hasNew: boolean } {
    const fresh = runs.filter(({ number }) => number > this.#newest);
    const changed = new Set<string>();
    for (const { sourcePath, definitionHash } of fresh.toReversed()) {
      if (this.#hashes.get(sourcePath) !== definitionHash) changed.add(sourcePath);
      this.#hashes.set(sourcePath, definitionHash);
    }
    this.#newest = Math.max(this.#newest, ...fresh.map(({ number }) => number));
    return { paths: [...changed], hasNew: fresh.length > 0 };
  }
}
