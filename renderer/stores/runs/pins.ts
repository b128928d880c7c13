/**
 * Outputs that the user has pinned to nodes, used by runs started in the window. They are stored with the window's
 * state, never in the file.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { findNonJson, type JsonValue, pathText, type RunPart, schemaProblemsOf } from '../../../engine/isomorphic.ts';
import { type MainClient, maxPinBytes, maxPinsBytes } from '../../bridge/main-client.ts';
import { nodeTypes } from '../flow/node-types.ts';
import type { OpenFile } from '../text/file.ts';
import { movedKeys } from '../text/paths.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { NodeFollower } from './follow-nodes.ts';
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
  return problemTexts(schemaProblemsOf(spec.outputSchema, output));
}

/** Returns problems of a value as sentences, with their positions in it. */
export function problemTexts(problems: ReturnType<typeof schemaProblemsOf>): readonly string[] {
  return problems.map(({ path, message }) =>
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
  readonly notices: StoreApi<WindowNotices>;
}

/** Loads the pins of opened files, and moves pins when nodes are renamed. */
export function followPins({ pins, main, notices }: FollowedStores): NodeFollower {
  const read = new Set<string>();

  const readPins = async (path: string): Promise<void> => {
    if (read.has(path)) return;
    read.add(path);
    // Without them the whole flow runs, which is visible on the cards.
    const kept = await main.call('pins.read', { path }).catch(() => undefined);
    // Pins set in the meantime take precedence.
    const own = { ...kept?.pins, ...pins.getState().files.get(path) };
    if (Object.keys(own).length > 0) pins.setState(({ files }) => ({ files: new Map(files).set(path, own) }));
  };

  return {
    onShown: (path) => void readPins(path),
    nodesOf: (path) => Object.keys(pins.getState().files.get(path) ?? noPins),
    rename(path, from, to) {
      const { files, pin, unpin } = pins.getState();
      const output = files.get(path)?.[from];
      unpin(path, from);
      if (output !== undefined) pin(path, to, output);
    },
    onGone(id) {
      const { nodeGone, nodeGoneDetail: detail } = text.pins;
      notices.getState().add({ tone: 'info', title: nodeGone({ id }), detail });
    },
  };
}
