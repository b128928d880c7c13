/**
 * Reads a history that several machines share, through the interface of any history.
 */
import type { RunId } from '../../base/ids.ts';
import type { SharedHistory, SharedReads } from '../../history/postgres/shared-history.ts';
import type { StoredAsk } from '../../history/store/waiting-store.ts';
import { type StoredDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { runNotFound, valueNotFound } from '../executor/refusals.ts';
import { openAsks, type WaitingAsk } from '../executor/run-answers.ts';
import { mostWaiting, type RunHistoryReader, runsOf, schemasOf, withComparer, withRequests } from './history.ts';

/** Creates the reader. Errors of the connection: EngineError `store.unreachable`, recoverable. */
export function createSharedReader(history: SharedHistory): RunHistoryReader {
  const definitionOf = (runId: RunId): Promise<StoredDefinition> =>
    history.readTogether(async (reads) => await readDefinition(reads, (await summaryOf(reads, runId)).definitionHash));
  return withComparer({
    listRuns: (query) => history.listRuns(query),
    getRun: (runId) => summaryOf(history, runId),
    readHead: (runId) =>
      history.readTogether(async (reads) => ({
        run: await summaryOf(reads, runId),
        lastSeq: await reads.projectedSeq(runId),
      })),
    async findRun(number) {
      const runId = await history.findRun(number);
      if (runId === undefined) throw runNotFound(`#${number}`);
      return runId;
    },
    readEvents: (runId, afterSeq, limit) => history.readEvents(runId, afterSeq, limit),
    waiting: (runId) =>
      history.readTogether(async (reads) => {
        await summaryOf(reads, runId);
        return await readOpenAsks(reads, runId);
      }),
    listWaiting: (limit = mostWaiting) => history.listWaiting(limit),
    listWaitingRequests: () =>
      history.readTogether(async (reads) => {
        const entries = await reads.listWaiting(mostWaiting);
        const asks: WaitingAsk[] = [];
        for (const runId of runsOf(entries)) asks.push(...(await readOpenAsks(reads, runId)));
        return withRequests(entries, asks);
      }),
    readDefinition: async (runId) => (await definitionOf(runId)).text,
    readCalledDefinition: (root, called) => history.readTogether((reads) => readCalled(reads, root, called)),
    readDefinitionSchemas: async (runId) => schemasOf(await definitionOf(runId)),
    readStoredDefinition: (hash) => history.readTogether((reads) => readDefinition(reads, hash)),
    async readValue(hash) {
      const value = await history.readValue(hash);
      if (value === undefined) throw valueNotFound(hash);
      return value;
    },
    readValues: (hashes) => history.readValues(hashes),
  });
}

async function summaryOf(reads: SharedReads, runId: RunId): Promise<RunSummary> {
  const summary = await reads.findSummary(runId);
  if (summary === undefined) throw runNotFound(runId);
  return summary;
}

async function readDefinition(reads: SharedReads, hash: string): Promise<StoredDefinition> {
  const stored = await reads.readText(hash);
  if (stored === undefined) throw valueNotFound(hash);
  return unpackDefinition(stored);
}

async function readCalled(reads: SharedReads, root: RunId, called: RunId): Promise<string> {
  for await (const page of readPages(reads, root)) {
    for (const { runId, event } of page)
      if (runId === called && event.type === 'run:start')
        return (await readDefinition(reads, event.definitionHash)).text;
  }
  throw runNotFound(called);
}

async function readOpenAsks(reads: SharedReads, runId: RunId): Promise<readonly WaitingAsk[]> {
  const asks = await reads.asksOf(runId);
  const values = await readLargeParts(reads, asks);
  return openAsks(runId, asks, (hash) => values.get(hash));
}

/** Returns the large parts of requests, which are stored as separate values. */
export async function readLargeParts(
  reads: SharedReads,
  asks: readonly StoredAsk[],
): Promise<ReadonlyMap<string, JsonValue>> {
  const parts = asks.flatMap(({ asked }) => (asked === undefined ? [] : Object.values(asked.request)));
  const hashes = parts.filter(isValueHandle).map(({ $value }) => $value);
  return hashes.length === 0 ? new Map() : await reads.readValues(hashes);
}
