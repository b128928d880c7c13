/**
 * Writes a run as a folder for other programs: its inputs, its trace, the forms that were filled in, and its output.
 * The folder is created atomically. `docs/traces.md` describes it.
 */
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, type ErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing, toWriteError } from '../../world/files/file-error.ts';
import { contentHash } from '../store/large-value.ts';
import { FormFiles } from './form-files.ts';
import { TraceLog } from './trace-log.ts';
import type { TraceRecord, TraceSource } from './trace-record.ts';

/** Data about a run that is written. */
export interface FolderSource extends TraceSource {
  readonly run: RunSummary;
  /** The events in the run's log in order, read page by page. `whole` resolves only handles in the most recent page. */
  readonly pages: AsyncIterable<readonly EventEnvelope[]>;
}

const responseVersion = '1.0';
/** One write per line would take too long, and one write for very many lines would block other work. */
const linesPerPiece = 100;

/** The files in the folder. Only these and form files are ever removed. */
const inputFile = 'input/input.json';
const eventsFile = 'runtime/events.jsonl';
const formsFolder = 'runtime/user_input';
const responseFile = 'output/response.json';

/**
 * Writes `<product>/<run id>/` into a folder (absolute path), which is created if it is missing. An earlier export of
 * the same run is replaced.
 * @returns the folder of the run
 * @throws EngineError `export.not-own` for a folder that contains anything else | `files.not-writable`
 */
export async function writeRunFolder(source: FolderSource, folder: string): Promise<string> {
  // A history from someone else may contain any run id.
  if (!/^\w[\w-]*$/.test(source.runId)) throw notOwn(source.runId, 'is not a run ID that can be used as a folder name');
  const parent = path.join(folder, source.product);
  const target = path.join(parent, source.runId);
  try {
    await refuseForeign(target, source.runId);
    await mkdir(parent, { recursive: true });
    const draft = await mkdtemp(path.join(parent, '.export-'));
    try {
      const made = path.join(draft, 'new');
      await fill(made, source);
      await replace(target, { made, old: path.join(draft, 'old') });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return target;
  } catch (error) {
    throw toWriteError(error, target);
  }
}

/** Replaces a folder. The old folder is moved away first, because no system replaces a folder that is not empty. */
async function replace(target: string, { made, old }: { readonly made: string; readonly old: string }): Promise<void> {
  const wasThere = await rename(target, old).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
  try {
    await rename(made, target);
  } catch (error) {
    if (wasThere) await rename(old, target);
    throw error;
  }
}

async function fill(folder: string, source: FolderSource): Promise<void> {
  const facts = new RunFacts(source);
  await writeFileAtomically(path.join(folder, eventsFile), pieces(source, facts));
  for (const [name, form] of facts.forms) await writeFileAtomically(path.join(folder, name), jsonFile(form));
  await writeFileAtomically(path.join(folder, inputFile), jsonFile(facts.inputs));
  await writeFileAtomically(path.join(folder, responseFile), facts.response());
}

function* inPieces(all: Iterable<string>): Generator<string, void> {
  let piece: string[] = [];
  for (const line of all) {
    piece.push(line);
    if (piece.length < linesPerPiece) continue;
    yield piece.join('');
    piece = [];
  }
  yield piece.join('');
}

/** Yields the trace, and the content of its last file once the run has ended. */
async function* pieces(source: FolderSource, facts: RunFacts): AsyncGenerator<string, void> {
  const trace = new TraceLog(source);
  for await (const page of source.pages) yield* inPieces(lines(page, trace, facts));
  for (const record of trace.end()) yield lineOf(record);
  const written = facts.written();
  if (written !== undefined) yield lineOf(written);
}

function* lines(page: readonly EventEnvelope[], trace: TraceLog, facts: RunFacts): Generator<string, void> {
  for (const event of page) {
    facts.note(event);
    for (const record of trace.add(event)) yield lineOf(record);
  }
}

function lineOf(record: TraceRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function jsonFile(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The run's inputs and output, masked like its trace, but complete regardless of size. */
class RunFacts {
  readonly #source: FolderSource;
  readonly #forms: FormFiles;
  #inputs: JsonValue = null;
  #output: JsonValue = null;
  #endedAt: number | undefined;

  constructor(source: FolderSource) {
    this.#source = source;
    this.#forms = new FormFiles(source);
  }

  note(envelope: EventEnvelope): void {
    this.#forms.note(envelope);
    const { event, at, rootRunId } = envelope;
    if (rootRunId !== undefined) return;
    const { whole } = this.#source;
    if (event.type === 'run:start') this.#inputs = filled(event.inputs, whole);
    if (event.type === 'run:refused') this.#endedAt = at;
    if (event.type !== 'run:end') return;
    this.#output = filled(event.output ?? null, whole);
    this.#endedAt = at;
  }

  get inputs(): JsonValue {
    return this.#source.redactor.redact(this.#inputs);
  }

  /** Forms by path in the folder. */
  get forms(): ReadonlyMap<string, JsonValue> {
    return new Map([...this.#forms.all()].map(({ name, form }) => [`${formsFolder}/${name}`, form]));
  }

  get #files(): readonly string[] {
    return [inputFile, eventsFile, ...this.forms.keys()];
  }

  response(): string {
    const { runId, product, flow, run, redactor } = this.#source;
    const endedAt = this.#endedAt;
    return jsonFile({
      ...{ response_version: responseVersion, run_id: runId, product, flow, status: publicStatus(run) },
      result: redactor.redact(this.#output),
      error: run.error === undefined ? null : redactor.redact(errorOf(run.error, run.failedNodes.at(-1))),
      finished_at: endedAt ?? null,
      finished_at_iso: endedAt === undefined ? null : new Date(endedAt).toISOString(),
      files: this.#files,
    });
  }

  /** Returns the record of the response; undefined while the run is in progress. */
  written(): TraceRecord | undefined {
    if (this.#endedAt === undefined) return undefined;
    const { runId, product, flow } = this.#source;
    const sha256 = contentHash(this.response());
    const payload = { path: responseFile, sha256, files: this.#files };
    const fields = { event_id: `${runId}-output`, run_id: runId, product, flow };
    return { ...fields, kind: 'output_written', ts: this.#endedAt, payload, redacted: false };
  }
}

/** Returns the value after replacing handles with the values they refer to. */
function filled(value: JsonValue, whole: TraceSource['whole']): JsonValue {
  if (isValueHandle(value)) return whole(value);
  if (isJsonList(value)) return value.map((item) => filled(item, whole));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, whole)]));
}

/** Returns the public name of a run's status. */
function publicStatus({ status, waitStatus }: RunSummary): string {
  if (status === 'suspended') return waitStatus ?? 'PENDING_APPROVAL';
  if (status === 'skipped') return 'COMPLETED';
  return status === 'queued' || status === 'interrupted' ? 'RUNNING' : status.toUpperCase();
}

function errorOf({ code, message, nodeId, details }: ErrorRecord, failed: string | undefined): JsonMap {
  return { code, message, step_id: nodeId ?? failed ?? null, details: (details as JsonValue | undefined) ?? {} };
}

/** @throws EngineError `export.not-own` if the folder contains anything that an export of this run did not write */
async function refuseForeign(target: string, runId: RunId): Promise<void> {
  const state = await lstat(target).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (state === undefined) return;
  if (!state.isDirectory()) throw notOwn(target, 'already exists and is not a folder');
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const names = files.map((entry) => path.relative(target, path.join(entry.parentPath, entry.name)));
  const foreign = names.find((name) => !isOfExport(name.replaceAll(path.sep, '/')));
  if (foreign !== undefined) throw notOwn(target, `contains ${foreign}, which is not part of an export`);
  if (!(await isResponseOf(path.join(target, responseFile), runId))) {
    throw notOwn(target, 'already exists and is not an export of this run');
  }
}

function isOfExport(name: string): boolean {
  const isForm = name.startsWith(`${formsFolder}/`) && name.endsWith('.json');
  return isForm || [inputFile, eventsFile, responseFile].includes(name);
}

async function isResponseOf(file: string, runId: RunId): Promise<boolean> {
  try {
    const response = JSON.parse(await readFile(file, 'utf8')) as JsonValue;
    return isJsonMap(response) && response['response_version'] === responseVersion && response['run_id'] === runId;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return false;
    throw error;
  }
}

function notOwn(target: string, why: string): EngineError {
  const message = `${target} ${why}. Move it, or export to another folder.`;
  return new EngineError({ code: 'export.not-own', message });
}
