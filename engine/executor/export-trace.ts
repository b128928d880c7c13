/**
 * A run of the history for other programs: as a folder with its trace, or as spans of OpenTelemetry. Both are without what looks like
 * secrets, mail addresses, and numbers of cards and telephones.
 */
import type { RunId } from '../base/ids.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { toWriteError } from '../files/file-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { parseFlow } from '../flowspec/parse-flow.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import { createRedactor } from '../secrets/redactor.ts';
import { requestPieces } from '../trace/otlp-json.ts';
import { writeRunFolder } from '../trace/run-folder.ts';
import { maskedSpan, type Span } from '../trace/span.ts';
import { SpanLog } from '../trace/span-log.ts';
import { ownerOf, type TraceSource } from '../trace/trace-record.ts';
import { type ReadableHistory, saveRun, storedValue } from './export-run.ts';
import { readLog } from './read-log.ts';

/** `bundle`: one file with all of it; `trace`: a folder for other programs; `otlp`: spans of OpenTelemetry. */
export type ExportFormat = 'bundle' | 'trace' | 'otlp';

/**
 * Writes a run to a file, or its trace into a folder (absolute). A file that is there is replaced in one step.
 * @param version of this program
 * @returns what was written: the file, or the folder of the run
 * @throws EngineError `run.not-found` | `export.not-own` | `files.not-writable`
 */
export async function saveRunAs(
  history: ReadableHistory,
  runId: RunId,
  { format, to, version }: { readonly format: ExportFormat; readonly to: string; readonly version: string },
): Promise<string> {
  if (format === 'trace') return await saveTrace(history, runId, to);
  if (format === 'bundle') await saveRun(history, runId, to);
  else await saveSpans(history, runId, { to, version });
  return to;
}

async function saveSpans(
  history: ReadableHistory,
  runId: RunId,
  { to, version }: { readonly to: string; readonly version: string },
): Promise<void> {
  try {
    await writeFileAtomically(to, exportSpans(history, runId, { version }));
  } catch (error) {
    throw toWriteError(error, to);
  }
}

/**
 * Writes the folder of a run, `<product>/<run id>/`, into another one (absolute).
 * @returns the folder of the run
 * @throws EngineError `run.not-found` | `export.not-own` | `files.not-writable`
 */
export async function saveTrace(history: ReadableHistory, runId: RunId, folder: string): Promise<string> {
  const run = history.getRun(runId);
  const source: TraceSource = {
    ...ownerOf(run.sourcePath),
    runId,
    steps: stepsOf(run, history.readDefinition(runId)),
    redactor: createRedactor(() => [], { isForOthers: true }),
    whole: wholeOf(history),
  };
  return await writeRunFolder({ ...source, run, events: readLog(history, runId) }, folder);
}

export interface SpanOptions {
  /** Of this program. */
  readonly version: string;
  /** With what models answered, and what tools were called with and gave. */
  readonly hasContent?: true | undefined;
}

/**
 * The spans of a run as one request of OTLP in JSON, in pieces. Of a run that goes on, those that have not ended yet end where it is now.
 * @throws EngineError `run.not-found` with the first piece
 */
export function* exportSpans(history: ReadableHistory, runId: RunId, options: SpanOptions): Generator<string, void> {
  history.getRun(runId);
  yield* requestPieces(spansOf(history, runId, options), options);
}

function* spansOf(history: ReadableHistory, runId: RunId, { hasContent }: SpanOptions): Generator<Span, void> {
  const { redact } = createRedactor(() => [], { isForOthers: true });
  const content = hasContent === true ? { content: { whole: wholeOf(history) } } : {};
  const spans = new SpanLog({ nameOf: () => undefined, ...content });
  let lastAt = 0;
  for (const event of readLog(history, runId)) {
    lastAt = event.at;
    for (const span of spans.add(event)) yield maskedSpan(span, redact);
  }
  for (const span of spans.end(lastAt)) yield maskedSpan(span, redact);
}

/** Reads what stands behind a handle; what only looks like one comes back itself. */
function wholeOf(history: ReadableHistory): (value: JsonValue) => JsonValue {
  return (value) => (isValueHandle(value) ? (storedValue(history, value.$value) ?? value) : value);
}

function stepsOf({ kind }: RunSummary, definition: string): TraceSource['steps'] {
  const nodes = kind === 'flow' ? (parseFlow(definition).doc?.nodes ?? []) : [];
  return new Map(nodes.map(({ id, name = id }, index) => [id, { index, name }]));
}
