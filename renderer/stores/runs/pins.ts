/**
 * Outputs that the user has pinned to nodes, used by runs started in the window. They are stored with the window's
 * state, never in the file.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  findNonJson,
  type JsonValue,
  type NodeDoc,
  pathText,
  type RunPart,
  schemaProblemsOf,
} from '../../../engine/isomorphic.ts';
import { type MainClient, maxPinBytes, maxPinsBytes } from '../../bridge/main-client.ts';
import { nodeTypes } from '../flow/node-types.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import { movedKeys } from '../text/paths.ts';
import type { WindowNotices } from '../window/notices.ts';
import { text } from './text.ts';

/** By ID of the node. */
export type PinnedOutputs = Readonly<Record<string, JsonValue>>;

export const noPins: PinnedOutputs = {};

export interface PinStore {
  /** By path, for files that have any. */
  readonly files: ReadonlyMap<string, PinnedOutputs>;
  /** Pins an output, replacing an existing pin. Returns why it cannot be pinned, or null. */
  pin(path: string, nodeId: string, output: JsonValue): string | null;
  unpin(path: string, nodeId: string): void;
  /** Returns the pins used by a run of this part of the file: those of existing nodes, except the target of the run. */
  forRun(file: OpenFile, part?: RunPart): PinnedOutputs;
  /** Moves the pins of a renamed file or folder. */
  rename(from: string, to: string): void;
}

/** Nodes of the text when the pins were last updated. */
type SeenNodes = readonly NodeDoc[];

/** Creates the store. Main saves the pins. */
export function createPins(main: MainClient, notices: StoreApi<WindowNotices>): StoreApi<PinStore> {
  const tell = (error: unknown): void => notices.getState().addError(text.pins.saveFailed, error);

  return createStore<PinStore>()((set, get) => {
    const put = (path: string, pins: PinnedOutputs): void => {
      const files = new Map(get().files);
      if (Object.keys(pins).length === 0) files.delete(path);
      else files.set(path, pins);
      set({ files });
      main.call('pins.write', { path, pins }).catch(tell);
    };
    return {
      files: new Map(),
      pin(path, nodeId, output) {
        const pins = { ...get().files.get(path), [nodeId]: output };
        const problem = tooMuch(output, pins);
        if (problem === null) put(path, pins);
        return problem;
      },
      unpin(path, nodeId) {
        const { [nodeId]: gone, ...others } = get().files.get(path) ?? noPins;
        if (gone !== undefined) put(path, others);
      },
      forRun: (file, part) => {
        const about = part === undefined ? undefined : 'only' in part ? part.only : part.to;
        const entries = Object.entries(get().files.get(file.path) ?? noPins);
        return Object.fromEntries(entries.filter(([id]) => id !== about && canBePinned(file, id)));
      },
      rename(from, to) {
        const before = get().files;
        set({ files: movedKeys(before, from, to) });
        for (const [path, pins] of get().files) {
          if (before.get(path) !== pins) main.call('pins.write', { path, pins }).catch(tell);
        }
        for (const path of before.keys()) {
          if (!get().files.has(path)) main.call('pins.write', { path, pins: noPins }).catch(tell);
        }
      },
    };
  });
}

/** Returns whether the node can be pinned. Nodes in loops cannot, because they run for each item. */
export function canBePinned({ doc, nesting }: Pick<OpenFile, 'doc' | 'nesting'>, nodeId: string): boolean {
  return doc?.nodes.some(({ id }) => id === nodeId) === true && !nesting.ownerOf.has(nodeId);
}

/** Returns why an output does not match the type of its node, with positions. Empty for an unknown type. */
export function outputProblems({ doc }: Pick<OpenFile, 'doc'>, nodeId: string, output: JsonValue): readonly string[] {
  const type = doc?.nodes.find(({ id }) => id === nodeId)?.type;
  const spec = type === undefined ? undefined : nodeTypes.get(type);
  if (spec === undefined) return [];
  return schemaProblemsOf(spec.outputSchema, output).map(({ path, message }) =>
    path.length === 0
      ? text.pins.invalidOutput({ problem: message })
      : text.pins.invalidField({ path: pathText(path.map(String)), problem: message }),
  );
}

function tooMuch(output: JsonValue, pins: PinnedOutputs): string | null {
  if (findNonJson(output, maxPinBytes) !== undefined) {
    return text.pins.nodeTooLarge;
  }
  return findNonJson(pins, maxPinsBytes) === undefined ? null : text.pins.flowTooLarge;
}

interface FollowedStores {
  readonly pins: StoreApi<PinStore>;
  readonly main: MainClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly notices: StoreApi<WindowNotices>;
}

/**
 * Loads the pins of opened files, and moves pins when nodes are renamed in any way. Returns a function that stops it.
 */
export function followPins({ pins, main, openFiles, notices }: FollowedStores): () => void {
  const read = new Set<string>();
  const seen = new Map<string, SeenNodes>();

  const readPins = async (path: string): Promise<void> => {
    if (read.has(path)) return;
    read.add(path);
    // Without them the whole flow runs, which is visible on the cards.
    const kept = await main.call('pins.read', { path }).catch(() => undefined);
    // Pins set in the meantime take precedence.
    const own = { ...kept?.pins, ...pins.getState().files.get(path) };
    if (Object.keys(own).length > 0) pins.setState(({ files }) => ({ files: new Map(files).set(path, own) }));
  };

  const look = (file: OpenFile): void => {
    const { path, doc } = file;
    if (file.kind !== 'flow' || file.status !== 'ready') return;
    void readPins(path);
    const before = seen.get(path);
    if (doc === null || file.isDocStale || doc.nodes === before) return;
    seen.set(path, doc.nodes);
    if (before === undefined) return;
    for (const id of followNames(pins.getState(), path, { before, now: doc.nodes })) {
      const { nodeGone, nodeGoneDetail: detail } = text.pins;
      notices.getState().add({ tone: 'info', title: nodeGone({ id }), detail });
    }
  };

  return openFiles.subscribe(({ files }, former) => {
    if (files === former.files) return;
    for (const [path, file] of files) if (former.files.get(path) !== file) look(file);
  });
}

interface NodesThen {
  readonly before: SeenNodes;
  readonly now: SeenNodes;
}

/** Returns the pinned nodes that no longer exist. */
function followNames({ files, pin, unpin }: PinStore, path: string, nodes: NodesThen): readonly string[] {
  const gone: string[] = [];
  for (const [id, output] of Object.entries(files.get(path) ?? noPins)) {
    if (nodes.now.some((node) => node.id === id) || nodes.before.every((node) => node.id !== id)) continue;
    const next = newIdOf(id, nodes);
    if (next === undefined) gone.push(id);
    else {
      unpin(path, id);
      pin(path, next, output);
    }
  }
  return gone;
}

/** Returns the new ID of a renamed node: a new node of the same type at the same position in the file. */
function newIdOf(id: string, { before, now }: NodesThen): string | undefined {
  const index = before.findIndex((node) => node.id === id);
  const same = now[index];
  if (index < 0 || now.length !== before.length || same?.type !== before[index]?.type) return undefined;
  return before.some((node) => node.id === same?.id) ? undefined : same?.id;
}
