/**
 * For tests: a window on a workspace of one flow, with a simulated disk and main process.
 */
import { EngineError } from '../../../engine/isomorphic.ts';
import { createEngineStandIn } from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn, type MainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { createStores, type Stores } from '../stores.ts';
import type { DocumentService } from '../text/service.ts';
import { createDirectDocuments } from './direct-documents.ts';

export const path = 'a.flow.yaml';
export const text = `# The only flow
flow: { name: One }
nodes:
  - id: a   # says hi
    type: echo
    input: { text: hi }
edges: []
`;

const open: Stores[] = [];

/** Closes all windows. Called after each test. */
export function closeWindows(): void {
  for (const stores of open.splice(0)) stores.dispose();
}

export interface FileWindow {
  readonly stores: Stores;
  readonly disk: Map<string, string>;
  readonly main: MainStandIn;
}

interface WindowOptions {
  readonly loss?: string;
  readonly documents?: DocumentService;
  readonly afterWrite?: () => void;
  /** What Git knows as the common text of a merge. */
  readonly mergeBase?: string;
}

/** Opens a window on a workspace of one flow, and opens the flow. */
export async function openWindow(
  main = createMainStandIn(),
  disk = new Map([[path, text]]),
  { loss, documents = createDirectDocuments(), afterWrite = () => undefined, mergeBase }: WindowOptions = {},
): Promise<FileWindow> {
  const read = (name: string): { text: string } => {
    const found = disk.get(name);
    if (found === undefined) throw new EngineError({ code: 'files.not-found', message: `There is no file ${name}.` });
    return { text: found };
  };
  const engine = createEngineStandIn({
    readMergeBase: () => ({ text: mergeBase ?? null }),
    readNotices: () => [],
    listFlows: () => [],
    listAgents: () => [],
    listRuns: () => [],
    readFlow: (path) => ({ ...read(path), ...(loss === undefined ? {} : { loss }) }),
    readFile: (path) => ({ ...read(path), isWritable: true }),
    writeFile: (request) => {
      const before = disk.get(request.path) ?? null;
      if (request.expected !== undefined && request.expected !== before) {
        throw new EngineError({ code: 'files.changed', message: 'It was changed.', details: { text: before } });
      }
      disk.set(request.path, request.text);
      afterWrite();
      return undefined;
    },
  });
  const nextFrame = (callback: () => void) => {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  };
  const stores = createStores({ engine: engine.client, main: main.client, documents, nextFrame });
  open.push(stores);
  engine.connect();
  await stores.openFiles.getState().open(path);
  return { stores, disk, main };
}

/** Returns the open flow. */
export function file({ stores }: FileWindow) {
  const found = stores.openFiles.getState().files.get(path);
  if (found === undefined) throw new Error('The flow is not open');
  return found;
}
