/**
 * What hosts may read of the store, with errors for what is not there.
 */
import type { RunId } from '../base/ids.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import type { RunStore } from '../store/run-store.ts';
import type { Engine } from './engine-api.ts';
import { runNotFound, valueNotFound } from './refusals.ts';

type History = Pick<Engine, 'listRuns' | 'getRun' | 'readDefinition' | 'readEvents' | 'readValue'>;

/** Makes the reading half of an engine. */
export function createHistory(store: RunStore): History {
  function getRun(runId: RunId): RunSummary {
    const record = store.getRun(runId);
    if (record === undefined) throw runNotFound(runId);
    const { inputs: _inputs, nodeSettings: _settings, ...summary } = record;
    return summary;
  }

  return {
    getRun,
    listRuns: (query) => store.listRuns(query),
    readEvents: (runId, afterSeq, limit) => store.readEvents(runId, afterSeq, limit),
    readDefinition(runId) {
      const { definitionHash } = getRun(runId);
      const text = store.readDefinition(definitionHash);
      if (text === undefined) throw valueNotFound(definitionHash);
      return text;
    },
    readValue(hash) {
      const value = store.readValue(hash);
      if (value === undefined) throw valueNotFound(hash);
      return value;
    },
  };
}
