/**
 * Exports a run in the history for other programs: as a folder with its trace, or as OpenTelemetry spans. Both mask
 * likely secrets, email addresses, card numbers and phone numbers.
 */
import type { RunId } from '../../base/ids.ts';
import { requestPiecesOf } from '../../history/trace/otlp-json.ts';
import { writeRunFolder } from '../../history/trace/run-folder.ts';
import { maskedSpan, type TraceSpan } from '../../history/trace/span.ts';
import { SpanLog } from '../../history/trace/span-log.ts';
import { ownerOf, type TraceSource } from '../../history/trace/trace-record.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { toWriteError } from '../../world/files/file-error.ts';
import { createRedactor } from '../../world/secrets/redactor.ts';
import { collectHandles, type ReadableHistory, saveRun } from './export-run.ts';

/** `bundle`: one self-contained file; `trace`: a folder for other programs; `otlp`: OpenTelemetry spans. */
export type ExportFormat = 'bundle' | 'trace' | 'otlp';

/**
 * Writes a run to a file, or its trace to a folder (absolute path). Atomically replaces an existing file.
 * @param version version of this program
 * @returns the written file, or the run's folder
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
 * Writes a run's folder, `<product>/<run id>/`, to another folder (absolute path).
 * @returns the run's folder
 * @throws EngineError `run.not-found` | `export.not-own` | `files.not-writable`
 */
export async function saveTrace(history: ReadableHistory, runId: RunId, folder: string): Promise<string> {
  const { run, lastSeq } = await history.readHead(runId);
  const values = new PageValues(history);
  const source: TraceSource = {
    ...ownerOf(run.sourcePath),
    runId,
    steps: stepsOf(run, await history.readDefinition(runId)),
    redactor: createRedactor(() => [], { isForOthers: true }),
    whole: values.whole,
  };
  return await writeRunFolder({ ...source, run, pages: values.readPages(runId, lastSeq) }, folder);
}

export interface SpanOptions {
  /** Version of this program. */
  readonly version: string;
  /** Whether to include model responses, and the parameters and results of tool calls. */
  readonly hasContent?: true | undefined;
}

/**
 * Yields a run's spans as one OTLP request in JSON, in pieces. For a run in progress, open spans end at the time of the
 * last event before the export.
 * @throws EngineError `run.not-found` with the first piece
 */
export async function* exportSpans(
  history: ReadableHistory,
  runId: RunId,
  options: SpanOptions,
): AsyncGenerator<string, void> {
  const { lastSeq } = await history.readHead(runId);
  yield* requestPiecesOf(spansOf(history, { runId, lastSeq }, options), options);
}

async function* spansOf(
  history: ReadableHistory,
  { runId, lastSeq }: { readonly runId: RunId; readonly lastSeq: number },
  { hasContent }: SpanOptions,
): AsyncGenerator<readonly TraceSpan[], void> {
  const { redact } = createRedactor(() => [], { isForOthers: true });
  const values = new PageValues(history);
  const content = hasContent === true ? { content: { whole: values.whole } } : {};
  const pages = hasContent === true ? values.readPages(runId, lastSeq) : readPages(history, runId, { lastSeq });
  const spans = new SpanLog({ nameOf: () => undefined, ...content });
  let lastAt = 0;
  for await (const page of pages) {
    yield page.flatMap((event) => spans.add(event)).map((span) => maskedSpan(span, redact));
    lastAt = page.at(-1)?.at ?? lastAt;
  }
  yield spans.end(lastAt).map((span) => maskedSpan(span, redact));
}

/** Number of events per page. All values on a page are in memory at the same time and may be large. */
const eventsWithValues = 100;

/** Loads the values of one page of events at a time. */
class PageValues {
  readonly #history: ReadableHistory;
  #values: ReadonlyMap<string, JsonValue> = new Map();

  constructor(history: ReadableHistory) {
    this.#history = history;
  }

  /** Returns the value of a handle, and all other data unchanged, including data that only looks like a handle. */
  readonly whole = (value: JsonValue): JsonValue =>
    isValueHandle(value) ? (this.#values.get(value.$value) ?? value) : value;

  async *readPages(runId: RunId, lastSeq: number): AsyncGenerator<readonly EventEnvelope[], void> {
    for await (const page of readPages(this.#history, runId, { lastSeq, atOnce: eventsWithValues })) {
      this.#values = await this.#valuesIn(page as unknown as JsonValue);
      yield page;
    }
  }

  /** Loads the values on a page, and the values nested in them, because a large request may contain large parts. */
  async #valuesIn(page: JsonValue): Promise<ReadonlyMap<string, JsonValue>> {
    const hashes = new Set<string>();
    collectHandles(page, hashes);
    if (hashes.size === 0) return new Map();
    const outer = await this.#history.readValues([...hashes]);
    const inner = new Set<string>();
    for (const value of outer.values()) collectHandles(value, inner);
    return inner.size === 0 ? outer : new Map([...outer, ...(await this.#history.readValues([...inner]))]);
  }
}

function stepsOf({ kind }: RunSummary, definition: string): TraceSource['steps'] {
  const nodes = kind === 'flow' ? (parseFlow(definition).doc?.nodes ?? []) : [];
  return new Map(nodes.map(({ id, name = id }, index) => [id, { index, name }]));
}
