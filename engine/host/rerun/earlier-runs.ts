/**
 * Provides the runs in the history whose results later runs reuse.
 */
import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { collectCalledFlows } from '../../language/flow/called-flows.ts';
import { calledDefinition, filesOf } from '../../language/flow/stored-definition.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { FlowDefinitions } from '../executor/flow-definitions.ts';
import { valueNotFound } from '../executor/refusals.ts';
import { unlessDamaged } from '../reads/read-log.ts';
import { type EarlierRun, earlierRun } from './earlier-run.ts';
import { mostRuns } from './latest-outputs.ts';

interface HistoryWorld {
  readonly store: RunStore;
  readonly capabilities: Pick<SharedCapabilities, 'hash'>;
}

export class EarlierRuns {
  readonly #world: HistoryWorld;
  readonly #definitions: Pick<FlowDefinitions, 'former'>;

  constructor(world: HistoryWorld, definitions: Pick<FlowDefinitions, 'former'>) {
    this.#world = world;
    this.#definitions = definitions;
  }

  /**
   * @param until `seq` of the event after which the run is read as it was; the whole run by default
   * @throws EngineError if the definition is missing from the history
   */
  read(record: RunRecord, until?: number): EarlierRun {
    return this.#runOf(record, this.definitionOf(record), { until });
  }

  /**
   * Returns the runs that a rerun may take results from.
   * @param limits `before`: see `othersThan`; `until`: see `read`. What ran after that must run again, even if another
   * run has its result
   */
  forRerun(record: RunRecord, limits: { readonly before?: number; readonly until: number | undefined }) {
    const { before, until } = limits;
    const others = until === undefined ? this.othersThan(record, before) : [];
    return { earlier: this.read(record, until), others, readRun: (runId: RunId) => this.find(runId) };
  }

  /**
   * Returns an earlier run; undefined if the run or its definition is missing or damaged. If damage is found later, the
   * run is treated as one without nodes.
   */
  find(runId: RunId): EarlierRun | undefined {
    const { store } = this.#world;
    const record = unlessDamaged(() => store.getRun(runId), undefined);
    const definition = record && store.readDefinition(record.definitionHash);
    return definition === undefined ? undefined : this.#runOf(record as RunRecord, definition, { isTolerant: true });
  }

  /**
   * Returns the latest runs of the same file, newest first.
   * @param before number of a resumed run, so that it sees the same runs as when it started
   */
  othersThan(
    { runId, sourcePath }: RunRecord,
    before = Number.POSITIVE_INFINITY,
    wanted: RunRecord['kind'] = 'flow',
  ): readonly EarlierRun[] {
    const latest = this.#world.store.listRuns({ sourcePath, limit: mostRuns });
    return latest.flatMap((run) => {
      if (run.kind !== wanted || run.runId === runId || run.number >= before) return [];
      return this.find(run.runId) ?? [];
    });
  }

  /** Returns the definition as stored in the history. @throws EngineError if it is missing */
  definitionOf({ definitionHash }: RunRecord): string {
    const text = this.#world.store.readDefinition(definitionHash);
    if (text === undefined) throw valueNotFound(definitionHash);
    return text;
  }

  #runOf(
    record: RunRecord,
    definition: string,
    { isTolerant = false, until }: { readonly isTolerant?: boolean; readonly until?: number | undefined },
  ): EarlierRun {
    const { store, capabilities } = this.#world;
    const define = () => {
      const below = collectCalledFlows(filesOf(definition));
      const called = below.map((one) => [one.path, this.#definitions.former(calledDefinition(one))] as const);
      return { flow: this.#definitions.former(definition), called: new Map(called) };
    };
    return earlierRun(record, define, { store, hash: capabilities.hash.sha256, isTolerant, until });
  }
}
