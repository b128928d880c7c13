/**
 * The breakpoints of the user, at which runs of this workspace stop. They are stored in the user's data, never in the
 * file.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Breakpoint, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import { movedKeys } from '../text/paths.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { NodeFollower } from './follow-nodes.ts';
import { text } from './text.ts';

/** A node has at most one. */
type BreakpointList = readonly Breakpoint[];

export const noBreakpoints: BreakpointList = [];

export interface Breakpoints {
  /** By path of the flow, for flows that have any. The most recently added one is last. */
  readonly flows: ReadonlyMap<string, BreakpointList>;
  /** The node whose breakpoint is edited in the dock. */
  readonly editing: { readonly path: string; readonly node: string } | null;
  edit(editing: Breakpoints['editing']): void;
  /** Adds a breakpoint before a node, or removes the one that it has. */
  toggle(path: string, node: string): void;
  /** Turns a breakpoint on or off. */
  turn(path: string, node: string, isOn: boolean): void;
  /** Adds or replaces the breakpoint of a node. Resolves to why the engine refuses it, or null. */
  put(path: string, breakpoint: Breakpoint): Promise<string | null>;
  remove(path: string, node: string): void;
  /** Moves the breakpoint of a renamed node. */
  renameNode(path: string, from: string, to: string): void;
  /** Moves the breakpoints of a renamed file or folder. */
  rename(from: string, to: string): void;
  /** Reads the stored breakpoints at the first call, and tells the engine about all of them. */
  connect(): Promise<void>;
}

/** Returns a breakpoint in words: `breakpoint if order > 100, item 3`. */
export function breakpointText({ when, item, isOff }: Breakpoint): string {
  const { plain, conditional, ofItem, off } = text.breakpoints;
  const parts = [
    when === undefined ? plain : conditional({ condition: when }),
    item === undefined ? '' : ofItem({ item }),
    isOff === true ? off : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Matches text in quotes, and names at the start of paths. */
const conditionParts = /"(?:[^"\\]|\\.)*"|(?<![\w.\]])[A-Za-z_]\w*/g;

function renamed(breakpoint: Breakpoint, from: string, to: string): Breakpoint {
  const { node, when } = breakpoint;
  const condition = when?.replace(conditionParts, (part) => (part === from ? to : part));
  return {
    ...breakpoint,
    node: node === from ? to : node,
    ...(condition === undefined ? {} : { when: condition }),
  };
}

function withBreakpoint(list: BreakpointList, breakpoint: Breakpoint): BreakpointList {
  const at = list.findIndex(({ node }) => node === breakpoint.node);
  return at < 0 ? [...list, breakpoint] : list.with(at, breakpoint);
}

interface BreakpointContext {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly notices: StoreApi<WindowNotices>;
}

/** Reads, stores and passes on breakpoints. */
function createKeeper({ engine, main, notices }: BreakpointContext, store: () => StoreApi<Breakpoints>) {
  const show = (error: unknown): void => notices.getState().addError(text.breakpoints.saveFailed, error);

  const send = (path: string, list: BreakpointList): Promise<void> => engine.call('setBreakpoints', path, list);
  /** Replaces the breakpoints of a flow, here and in main. */
  const keep = (path: string, list: BreakpointList): void => {
    const flows = new Map(store().getState().flows);
    if (list.length === 0) flows.delete(path);
    else flows.set(path, list);
    store().setState({ flows });
    main.call('breakpoints.write', { path, breakpoints: list }).catch(show);
  };
  return {
    send,
    keep,
    replace(path: string, list: BreakpointList): void {
      keep(path, list);
      send(path, list).catch(show);
    },
    async read(): Promise<void> {
      const kept = await main.call('breakpoints.read').catch(() => undefined);
      // Breakpoints set in the meantime take precedence.
      store().setState(({ flows }) => ({ flows: new Map([...Object.entries(kept?.flows ?? {}), ...flows]) }));
    },
    async sendAll(): Promise<void> {
      const all = [...store().getState().flows].map(([path, list]) => send(path, list));
      await Promise.all(all).catch(show);
    },
  };
}

/** Creates the store. Main saves the breakpoints, and the engine stops runs at them. */
export function createBreakpoints(context: BreakpointContext): StoreApi<Breakpoints> {
  const { send, keep, replace, read, sendAll } = createKeeper(context, () => store);
  let reading: Promise<void> | undefined;
  const store = createStore<Breakpoints>()((_, get) => {
    const listOf = (path: string): BreakpointList => get().flows.get(path) ?? noBreakpoints;
    const change = (path: string, to: (one: Breakpoint) => readonly Breakpoint[]): void =>
      replace(path, listOf(path).flatMap(to));
    return {
      flows: new Map(),
      editing: null,
      edit: (editing) => store.setState({ editing }),
      toggle(path, node) {
        const list = listOf(path);
        if (list.some((one) => one.node === node)) get().remove(path, node);
        else replace(path, [...list, { node }]);
      },
      turn: (path, node, isOn) =>
        change(path, (one) => {
          const { isOff: _, ...on } = one;
          return one.node !== node ? [one] : [isOn ? on : { ...on, isOff: true }];
        }),
      async put(path, breakpoint) {
        try {
          await send(path, withBreakpoint(listOf(path), breakpoint));
        } catch (error) {
          return toErrorRecord(error).message;
        }
        keep(path, withBreakpoint(listOf(path), breakpoint));
        return null;
      },
      remove: (path, node) => change(path, (one) => (one.node === node ? [] : [one])),
      renameNode: (path, from, to) => change(path, (one) => [renamed(one, from, to)]),
      rename(from, to) {
        const before = get().flows;
        const moved = movedKeys(before, from, to);
        for (const path of before.keys()) if (!moved.has(path)) replace(path, noBreakpoints);
        for (const [path, list] of moved) if (before.get(path) !== list) replace(path, list);
      },
      async connect() {
        reading ??= read();
        await reading;
        await sendAll();
      },
    };
  });
  return store;
}

/** Moves breakpoints when nodes are renamed. Those of deleted nodes stay, because the node may return. */
export function followBreakpoints(breakpoints: StoreApi<Breakpoints>): NodeFollower {
  return {
    nodesOf: (path) => {
      const list = breakpoints.getState().flows.get(path) ?? noBreakpoints;
      // Conditions name nodes, too.
      return [...new Set(list.flatMap(({ node, when }) => [node, ...(when?.match(conditionParts) ?? [])]))];
    },
    rename: (path, from, to) => breakpoints.getState().renameNode(path, from, to),
  };
}
