/**
 * Starts the runs of firings that wait: by priority, then in the order in which they were recorded. Reads only the next
 * firing of each trigger, because thousands may wait.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Firing } from '../../history/store/firing-store.ts';
import type { TriggerName } from '../../history/store/trigger-watch.ts';
import { resolveBindings } from '../../language/bindings/bindings.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { overlapOf } from '../../language/triggers/trigger-doc.ts';
import { eventRoot } from '../../language/triggers/trigger-findings.ts';
import type { StartRun } from '../executor/start-request.ts';
import type { RunBudgets } from './run-budgets.ts';
import type { TriggerEntry } from './trigger-list.ts';
import type { TriggerServiceOptions } from './trigger-serving.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const offReason = 'Its trigger is off.';

interface FiringStarterOptions
  extends Pick<
    TriggerServiceOptions,
    'cancelRun' | 'clock' | 'mostPerFlow' | 'onNote' | 'readFlow' | 'startRun' | 'store'
  > {
  readonly budgets: RunBudgets;
  /** Called if the list of triggers is older than a flow. */
  readonly onOutdated: () => void;
  readonly isClosed: () => boolean;
}

/** A firing that may start next. */
interface NextFiring {
  readonly entry: TriggerEntry;
  readonly firing: Firing;
}

export class FiringStarter {
  readonly #options: FiringStarterOptions;
  /** Triggers with a firing that has to wait for the end of a run. */
  readonly #blocked = new Set<string>();
  /** By trigger: when a refusal was last noted, and how many have followed. */
  readonly #refusals = new Map<string, { readonly notedAt: number; others: number }>();

  constructor(options: FiringStarterOptions) {
    this.#options = options;
  }

  /** Forgets which triggers have to wait, because a run may have ended. */
  unblock(): void {
    this.#blocked.clear();
  }

  /** Settles the firings of triggers that no longer exist. */
  settleOthers(entries: readonly TriggerEntry[]): void {
    const { firings } = this.#options.store;
    const known = new Set(entries.map(nameOf));
    for (const name of firings.waitingTriggers())
      if (!known.has(nameOf(name))) firings.settleWaiting(name, 'canceled', offReason);
  }

  /** Starts what may start. A changed trigger waits for a person. */
  async start(entries: readonly TriggerEntry[]): Promise<void> {
    const next = entries.flatMap((entry) => this.#nextOf(entry) ?? []);
    while (next.length > 0 && !this.#options.isClosed()) {
      const first = next.reduce((one, other) => (isBefore(other, one) ? other : one));
      next.splice(next.indexOf(first), 1);
      const { entry } = first;
      if (await this.#start(first)) next.push(...(this.#nextOf(entry) ?? []));
      else this.#blocked.add(nameOf(entry));
    }
  }

  /** Returns a list of at most one firing. */
  #nextOf(entry: TriggerEntry): readonly NextFiring[] | undefined {
    if (entry.state === 'changed' || this.#blocked.has(nameOf(entry))) return undefined;
    const { firings } = this.#options.store;
    if (entry.state === 'off') {
      firings.settleWaiting(entry, 'canceled', offReason);
      return undefined;
    }
    const firing = firings.nextWaiting(entry);
    return firing && [{ entry, firing }];
  }

  /** @returns false if it has to wait */
  async #start({ firing, entry }: NextFiring): Promise<boolean> {
    const { doc } = entry;
    const { store, clock, mostPerFlow = 10, cancelRun } = this.#options;
    const { limit } = doc;
    const overlap = overlapOf(doc);
    if (limit !== undefined && store.firings.countStarted(entry, clock.now() - hourMs) >= limit) {
      this.#settle(firing, 'skipped', `limit: ${limit} runs have started in the last hour.`);
      return true;
    }
    if (overlap === 'cancelPrevious') for (const runId of store.firings.unfinishedRuns(entry)) cancelRun(runId);
    const most = typeof overlap === 'object' ? overlap.parallel : overlap === 'cancelPrevious' ? undefined : 1;
    try {
      const { text } = await this.#options.readFlow(firing.flow);
      const request = requestOf(firing, { doc, text });
      const claim = { id: firing.id, mostOfFlow: mostPerFlow, ...(most === undefined ? {} : { mostOfTrigger: most }) };
      const { runId } = await this.#options.startRun({ ...request, firing: claim, unlessChanged: entry.flowHash });
      if (doc.budget !== undefined) this.#options.budgets.watch(runId, doc.budget);
      return true;
    } catch (error) {
      return this.#handleRefusal(error, firing, overlap === 'skip');
    }
  }

  /** @returns false if the firing has to wait */
  #handleRefusal(error: unknown, firing: Firing, isSkipped: boolean): boolean {
    if (!EngineError.is(error)) throw error;
    if (error.code === 'firing.taken') return true;
    if (error.code === 'flow.changed') {
      // The list of triggers is older than the flow. It then waits for a person to confirm the flow.
      this.#options.onOutdated();
      return false;
    }
    // The history cannot be written now. The firing stays as it is.
    if (error.code.startsWith('store.')) throw error;
    if (error.code !== 'firing.blocked') {
      this.#settle(firing, 'refused', error.message);
      this.#noteRefusal(firing, error.message);
      return true;
    }
    const isOverlap = isJsonMap(error.details as JsonValue) && (error.details as JsonMap)['by'] === 'trigger';
    if (!isSkipped || !isOverlap) return false;
    this.#settle(firing, 'skipped', 'overlap: an earlier run is not finished.');
    return true;
  }

  /** Thousands of events can be wrong in the same way, so others within a minute are only counted. */
  #noteRefusal(firing: Firing, reason: string): void {
    const name = nameOf(firing);
    const now = this.#options.clock.now();
    const last = this.#refusals.get(name);
    if (last !== undefined && Math.abs(now - last.notedAt) < minuteMs) {
      last.others++;
      return;
    }
    this.#refusals.set(name, { notedAt: now, others: 0 });
    const { others = 0 } = last ?? {};
    const more = others === 0 ? '' : ` (${others} more were refused since the last note.)`;
    this.#options.onNote(`${firing.flow}, trigger ${firing.trigger}: ${reason}${more}`);
  }

  #settle({ id }: Firing, state: 'skipped' | 'refused', reason: string): void {
    this.#options.store.firings.settle(id, state, reason);
  }
}

function nameOf({ flow, trigger }: TriggerName): string {
  return `${flow}\n${trigger}`;
}

function isBefore({ firing: one }: NextFiring, { firing: other }: NextFiring): boolean {
  return one.priority === other.priority ? one.id < other.id : one.priority > other.priority;
}

/** Returns the request for a run. @throws EngineError `binding.missing` if the event lacks a value for an input */
function requestOf(
  { flow, event, trigger }: Firing,
  { doc, text }: Pick<TriggerEntry, 'doc'> & { readonly text: string },
): StartRun {
  const context = new Map<string, JsonValue>([[eventRoot, event]]);
  const body = doc.webhook === undefined ? undefined : event['body'];
  const inputs =
    doc.inputs === undefined
      ? isJsonMap(body ?? null)
        ? (body as JsonMap)
        : {}
      : resolveBindings(doc.inputs, context);
  return { path: flow, text, inputs, startedBy: { kind: 'trigger', name: trigger } };
}
