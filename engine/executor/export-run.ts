/**
 * A run as one file that needs nothing else to be read: what it was, what it ran, all that happened, and the values that
 * were too large for events. `docs/history.md` describes the format.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { toWriteError } from '../files/file-error.ts';
import { isJsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import { createRedactor } from '../secrets/redactor.ts';
import type { History } from './history.ts';

/** The part of an engine that an export reads. */
export type ReadableHistory = Pick<
  History,
  'getRun' | 'readDefinition' | 'readDefinitionSchemas' | 'readEvents' | 'readValue'
>;

const eventsPerPiece = 500;

export interface ExportOptions {
  /** Takes out what looks like secrets, mail addresses, and numbers of cards and telephones, but not of the definition. */
  readonly isRedacted?: true | undefined;
}

type Redact = (value: JsonValue) => JsonValue;
const unchanged: Redact = (value) => value;

/**
 * The text of the file in pieces, so that a run of any length takes little memory. Of a run that goes on, it holds what has
 * happened so far.
 * @throws EngineError `run.not-found` with the first piece
 */
export function* exportRun(
  history: ReadableHistory,
  runId: RunId,
  { isRedacted }: ExportOptions = {},
): Generator<string, void> {
  const redact = isRedacted === true ? createRedactor(() => [], { isForOthers: true }).redact : unchanged;
  // What the history gives is JSON.
  const record = redact(history.getRun(runId) as unknown as JsonValue);
  const run = JSON.stringify(record, null, 2).replaceAll('\n', '\n  ');
  const definition = JSON.stringify(history.readDefinition(runId));
  const found = history.readDefinitionSchemas(runId);
  const schemas = Object.keys(found).length === 0 ? '' : `  "schemas": ${JSON.stringify(found)},\n`;
  yield `{\n  "format": "millrace.run/1",\n  "run": ${run},\n  "definition": ${definition},\n${schemas}  "events": [`;
  const hashes = new Set<string>();
  yield* eventLines(history, { runId, hashes, redact });
  yield '\n  ],\n  "values": {';
  yield* valueLines(history, hashes, redact);
  yield '\n  }\n}\n';
}

/**
 * Writes that text to a file (absolute); one that is there is replaced in one step.
 * @throws EngineError `run.not-found` | `files.not-writable`
 */
export async function saveRun(history: ReadableHistory, runId: RunId, file: string): Promise<void> {
  try {
    await writeFileAtomically(file, exportRun(history, runId));
  } catch (error) {
    throw toWriteError(error, file);
  }
}

/** One event a line. Collects the hashes of the values that stand apart. */
function* eventLines(
  history: ReadableHistory,
  { runId, hashes, redact }: { readonly runId: RunId; readonly hashes: Set<string>; readonly redact: Redact },
): Generator<string, void> {
  let afterSeq = -1;
  for (;;) {
    const events = history.readEvents(runId, afterSeq, eventsPerPiece);
    const last = events.at(-1);
    if (last === undefined) return;
    for (const event of events) collectHandles(event, hashes);
    const lines = events.map((event) => `\n    ${JSON.stringify(redact(event as unknown as JsonValue))}`).join(',');
    yield afterSeq < 0 ? lines : `,${lines}`;
    afterSeq = last.seq;
  }
}

/** One value a line, under its hash. */
function* valueLines(history: ReadableHistory, hashes: ReadonlySet<string>, redact: Redact): Generator<string, void> {
  let separator = '';
  for (const hash of hashes) {
    const value = storedValue(history, hash);
    if (value === undefined) continue;
    yield `${separator}\n    ${JSON.stringify(hash)}: ${JSON.stringify(redact(value))}`;
    separator = ',';
  }
}

/** Undefined for what only looks like a handle: a node may put out anything. */
export function storedValue(history: ReadableHistory, hash: string): JsonValue | undefined {
  try {
    return history.readValue(hash);
  } catch (error) {
    if (EngineError.is(error) && error.code === 'value.not-found') return undefined;
    throw error;
  }
}

function collectHandles({ event }: EventEnvelope, hashes: Set<string>): void {
  // An event is what was parsed from its JSON text, which its type does not say.
  const open: JsonValue[] = [event as unknown as JsonValue];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isValueHandle(value)) hashes.add(value.$value);
    else if (Array.isArray(value)) open.push(...value);
    else if (isJsonMap(value)) open.push(...Object.values(value));
  }
}
