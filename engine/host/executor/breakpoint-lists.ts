/**
 * Which breakpoints act in which runs: those that a run was started with, and those that the person sets per file.
 */
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { parseWhen } from '../../language/bindings/parse-when.ts';
import type { StartedBy } from '../../runtime/kernel/events/run-event.ts';
import type {
  ActiveBreakpoint,
  Breakpoint,
  BreakpointSource,
  BreakpointsByFile,
} from '../../runtime/kernel/hub/run-pause.ts';

const none: readonly ActiveBreakpoint[] = [];

/** How runs start in which a person's breakpoints act without further ado. */
const personal: ReadonlySet<StartedBy['kind']> = new Set(['person', 'cli', 'library']);

export class BreakpointLists {
  readonly #store: Pick<RunStore, 'requests' | 'findSummary'>;
  /** By file. */
  readonly #set = new Map<string, readonly ActiveBreakpoint[]>();
  readonly #attached = new Set<RunId>();

  constructor(store: Pick<RunStore, 'requests' | 'findSummary'>) {
    this.#store = store;
  }

  /** @throws EngineError `breakpoint.invalid` */
  set(path: string, breakpoints: readonly Breakpoint[]): void {
    this.#set.set(path, activeIn(path, breakpoints));
  }

  /** Lets the breakpoints that are set act in a run, also if no person started it. */
  attach(runId: RunId): void {
    this.#attached.add(runId);
  }

  /** Returns the breakpoints that act in a run. Those of its start are read once, as they are in the history. */
  sourceFor({ runId }: Pick<RunRecord, 'runId'>): BreakpointSource {
    const own = breakpointsFrom(Object.fromEntries(this.#store.requests.breakpointsOf(runId)));
    let isPersonal: boolean | undefined;
    return (path) => {
      const ownOnes = own(path);
      const set = this.#set.get(path) ?? none;
      if (set.length === 0) return ownOnes;
      isPersonal ??= this.#isPersonal(runId);
      return isPersonal || this.#attached.has(runId) ? [...ownOnes, ...set] : ownOnes;
    };
  }

  #isPersonal(runId: RunId): boolean {
    const by = this.#store.findSummary(runId)?.startedBy;
    return by === undefined || personal.has(by.kind);
  }
}

/** Returns the breakpoints that a run was started with. @throws EngineError `breakpoint.invalid` */
export function breakpointsFrom(breakpoints: BreakpointsByFile = {}): BreakpointSource {
  const active = new Map(Object.entries(breakpoints).map(([path, list]) => [path, activeIn(path, list)]));
  return (path) => active.get(path) ?? none;
}

/** Parses the breakpoints of a run that is about to start. @throws EngineError `breakpoint.invalid` */
export function refuseInvalid(breakpoints: BreakpointsByFile | undefined): void {
  breakpointsFrom(breakpoints);
}

function activeIn(path: string, breakpoints: readonly Breakpoint[]): readonly ActiveBreakpoint[] {
  return breakpoints.flatMap((breakpoint) => {
    // A breakpoint that is off is checked too, so that turning it on cannot fail.
    const active = activeOf(path, breakpoint);
    return breakpoint.isOff === true ? [] : [active];
  });
}

function activeOf(path: string, { node, when, item }: Breakpoint): ActiveBreakpoint {
  if (node === '') throw invalid(path, node, 'It names no node.');
  if (item !== undefined && (!Number.isSafeInteger(item) || item < 1))
    throw invalid(path, node, `The item is ${item}. It must be a whole number from 1.`);
  if (when === undefined) return { node, ...(item === undefined ? {} : { item }) };
  try {
    return { node, condition: parseWhen(when), ...(item === undefined ? {} : { item }) };
  } catch (thrown) {
    const { message, details } = asEngineError(thrown);
    throw invalid(path, node, message, details);
  }
}

function invalid(path: string, nodeId: string, problem: string, details?: EngineError['details']): EngineError {
  const message = `The breakpoint at "${nodeId}" in ${path} cannot be set. ${problem}`;
  return new EngineError({ code: 'breakpoint.invalid', message, nodeId, details });
}
