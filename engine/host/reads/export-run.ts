/**
 * Exports a run as a self-contained file: its metadata, its definition, all events, and the values that were too large
 * for events. `docs/history.md` describes the format.
 */
import type { RunId } from '../../base/ids.ts';
import { isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { toWriteError } from '../../world/files/file-error.ts';
import { createRedactor } from '../../world/secrets/redactor.ts';
import type { RunHistoryReader } from './history.ts';

/** The engine methods that an export uses for reading. */
export type ReadableHistory = Pick<
  RunHistoryReader,
  'readHead' | 'readDefinition' | 'readDefinitionSchemas' | 'readEvents' | 'readValues'
>;

const eventsPerPiece = 500;

export interface ExportOptions {
  /** Whether to mask likely secrets, email addresses, card numbers and phone numbers, except in the definition. */
  readonly isRedacted?: true | undefined;
}

type Redact = (value: JsonValue) => JsonValue;
const unchanged: Redact = (value) => value;

/**
 * Yields the file's text in pieces, so that a run of any length needs little memory. For a run in progress, the file
 * contains the events up to the start of the export.
 * @throws EngineError `run.not-found` with the first piece
 */
export async function* exportRun(
  history: ReadableHistory,
  runId: RunId,
  { isRedacted }: ExportOptions = {},
): AsyncGenerator<string, void> {
  const redact = isRedacted === true ? createRedactor(() => [], { isForOthers: true }).redact : unchanged;
  const head = await history.readHead(runId);
  // The history returns JSON.
  const record = redact(head.run as unknown as JsonValue);
  const run = JSON.stringify(record, null, 2).replaceAll('\n', '\n  ');
  const definition = JSON.stringify(await history.readDefinition(runId));
  const found = await history.readDefinitionSchemas(runId);
  const schemas = Object.keys(found).length === 0 ? '' : `  "schemas": ${JSON.stringify(found)},\n`;
  yield `{\n  "format": "millrace.run/1",\n  "run": ${run},\n  "definition": ${definition},\n${schemas}  "events": [`;
  const hashes = new Set<string>();
  let separator = '';
  for await (const events of readPages(history, runId, { ...head, atOnce: eventsPerPiece })) {
    for (const { event } of events) collectHandles(event as unknown as JsonValue, hashes);
    const lines = events.map((event) => `\n    ${JSON.stringify(redact(event as unknown as JsonValue))}`).join(',');
    yield separator + lines;
    separator = ',';
  }
  yield '\n  ],\n  "values": {';
  yield* valueLines(history, hashes, redact);
  yield '\n  }\n}\n';
}

/**
 * Writes the export to a file (absolute path), atomically replacing an existing one.
 * @throws EngineError `run.not-found` | `files.not-writable`
 */
export async function saveRun(history: ReadableHistory, runId: RunId, file: string): Promise<void> {
  try {
    await writeFileAtomically(file, exportRun(history, runId));
  } catch (error) {
    throw toWriteError(error, file);
  }
}

/**
 * Writes one value per line, by hash. A node may output anything, so data that only looks like a handle has no value
 * and is skipped.
 */
async function* valueLines(
  history: ReadableHistory,
  hashes: ReadonlySet<string>,
  redact: Redact,
): AsyncGenerator<string, void> {
  let separator = '';
  for (const hash of hashes) {
    const value = (await history.readValues([hash])).get(hash);
    if (value === undefined) continue;
    yield `${separator}\n    ${JSON.stringify(hash)}: ${JSON.stringify(redact(value))}`;
    separator = ',';
  }
}

/** Collects the hashes of all handles in a value. */
export function collectHandles(within: JsonValue, hashes: Set<string>): void {
  const open: JsonValue[] = [within];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isValueHandle(value)) hashes.add(value.$value);
    else if (Array.isArray(value)) open.push(...value);
    else if (isJsonMap(value)) open.push(...Object.values(value));
  }
}
