/**
 * Returns the flows that runs in a shared history executed, in place of files of a workspace.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Engine, FlowFile } from '../../engine.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { type StoredDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { RemoteConnection } from './remote-connection.ts';

/** Number of latest runs whose flows are listed. */
const mostRuns = 500;

export type RemoteFlows = Pick<
  Engine,
  'listFlows' | 'readFlow' | 'readSchemas' | 'listFolder' | 'findFiles' | 'readFile' | 'readAgent'
>;

/** Explains in the window why a flow is read-only. */
const readOnly =
  'This is the version of the latest run in the remote history. Edit the file in the workspace of its workers.';

/** Creates the methods of an engine that list and read flows. */
export function createRemoteFlows(connection: RemoteConnection): RemoteFlows {
  let known: readonly FlowFile[] = [];
  const listFlows = async (): Promise<readonly FlowFile[]> => {
    try {
      const runs = await connection.use((history) => history.listRuns({ limit: mostRuns }));
      const paths = new Set(runs.filter(({ kind }) => kind === 'flow').map(({ sourcePath }) => sourcePath));
      known = [...paths].sort().map((path) => ({ path, change: null }));
    } catch (error) {
      // Without a connection, the known flows stay in the list.
      if (!EngineError.is(error) || known.length === 0) throw error;
    }
    return known;
  };
  const read = (path: string): Promise<StoredDefinition> => connection.use((history) => readDefinition(history, path));
  return {
    listFlows,
    readFlow: async (path) => ({ text: (await read(path)).text, loss: readOnly }),
    readFile: async (path) => ({ text: (await read(path)).text, isWritable: false }),
    readAgent: async (agent) => ({ text: (await read(agent)).text, file: agent, path: null, isWritable: false }),
    async readSchemas({ path, names }) {
      const { schemas } = await read(path);
      return names.flatMap((name) => {
        const file = schemas.get(name);
        return file === undefined ? [] : [[name, file] as const];
      });
    },
    listFolder: async (folder) => ({ entries: entriesIn(await listFlows(), folder), isCut: false }),
    findFiles: async () => ({ paths: (await listFlows()).map(({ path }) => path), isCut: false }),
  };
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

type FolderEntry = Awaited<ReturnType<Engine['listFolder']>>['entries'][number];

/** @param folder path without a slash at its end; empty for all flows */
function entriesIn(flows: readonly FlowFile[], folder: string): readonly FolderEntry[] {
  const start = folder === '' ? '' : `${folder}/`;
  const entries = new Map<string, FolderEntry>();
  for (const { path } of flows) {
    if (!path.startsWith(start)) continue;
    const [name = '', ...rest] = path.slice(start.length).split('/');
    const entry = { name, path: `${start}${name}`, change: null };
    entries.set(name, rest.length === 0 ? { ...entry, kind: 'file' } : { ...entry, kind: 'folder' });
  }
  const rank = ({ kind }: FolderEntry): number => (kind === 'folder' ? 0 : 1);
  return [...entries.values()].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
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
