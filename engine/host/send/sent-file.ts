/**
 * Reads the file of a run that someone sent. It may be damaged or written to do harm, so every part is checked by itself:
 * what is wrong is left out and named, and the rest is used.
 */
import path from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import { isDeeperThan, MAX_VALUE_DEPTH } from '../../base/json-limits.ts';
import { eventProblem } from '../../history/postgres/event-shape.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { isMap } from '../../history/store/run-row.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { EventEnvelope, RunKind } from '../../runtime/kernel/events/run-event.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { readSentDefinitions, type SentDefinitions } from './sent-definitions.ts';

/** The usable parts of a file. */
export interface SentFile extends SentDefinitions {
  readonly runId: RunId;
  /** Number of the run in the history that it comes from; undefined if it is not known. */
  readonly number: number | undefined;
  readonly kind: RunKind;
  readonly name: string;
  readonly sourcePath: string;
  readonly startedAt: number;
  readonly labels: readonly string[];
  readonly note: string;
  /** In their order. Their numbers may have gaps. */
  readonly events: readonly EventEnvelope[];
  /** JSON texts of large values, by their hash. */
  readonly values: ReadonlyMap<string, string>;
  /** What is missing or wrong, each as a sentence. */
  readonly problems: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Maximum size of a file, in bytes. Its text must fit into a string. */
const maxBytes = 256 * 1024 * 1024;
/** A value that contains others can be much larger than the file. Total length, in UTF-16 units. */
const longestValue = 256 * 1024 * 1024;
/** Large values are in other ones only if a value of a called run is part of an output. */
const deepestValue = 20;
const idForm = /^[\w-]{1,100}$/;
const lastMoment = 8.64e15;
const newestFormat = 1;

/**
 * Reads and checks a file.
 * @param file absolute path
 * @throws EngineError `files.*`; `sent.not-a-run` | `sent.newer-format` if nothing of the file can be used
 */
export async function readSentFile(file: string): Promise<SentFile> {
  const shownPath = path.basename(file);
  const text = await readTextFile(file, { maxBytes, shownPath });
  const problems: string[] = [];
  const fields = parsedWhole(text) ?? parsedLines(text);
  if (fields === undefined) throw notARun(shownPath);
  const format = /^millrace\.run\/(\d{1,9})$/.exec(String(fields['format']));
  if (format === null) throw notARun(shownPath);
  if (Number(format[1]) > newestFormat) throw newerFormat(shownPath);
  if (fields['isCut'] === true)
    problems.push('The file is damaged: some of its lines cannot be read and are left out.');
  const run = isMap(fields['run']) ? fields['run'] : {};
  const runId = idOf(run, fields['events']);
  if (runId === undefined) throw notARun(shownPath);
  const events = checkedEvents(fields['events'], runId, problems);
  const values = checkedValues(fields['values'], problems);
  countMissing(events, values, problems);
  const name = textIn(run, 'name') ?? 'Run';
  return {
    ...{ runId, number: numberOf(run), kind: run['kind'] === 'agent' ? 'agent' : 'flow', name },
    ...{ startedAt: isMoment(run['startedAt']) ? run['startedAt'] : (events[0]?.at ?? 0) },
    ...{ labels: textsOf(run['labels']), note: textIn(run, 'note') ?? '' },
    ...readSentDefinitions(fields, { name, sourcePath: textIn(run, 'sourcePath'), events }, problems),
    ...{ events, values, problems },
  };
}

function parsedWhole(text: string): Fields | undefined {
  // A run can contain values of any depth up to the limit. Reading deeper ones would exhaust the stack.
  if (!/^\s*\{/.test(text) || isDeeperThan(text, MAX_VALUE_DEPTH + 10)) return undefined;
  const parsed = parsedJson(text);
  return isMap(parsed) ? parsed : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a damaged file line by line: no two events, large values or other parts share a line. */
function parsedLines(text: string): Fields | undefined {
  if (!/^\s*\{\s*"format": ?"/.test(text)) return undefined;
  const [parts, values]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  const [events, called]: [unknown[], unknown[]] = [[], []];
  for (const line of partsOf(text)) {
    const content = line.trim().replace(/,$/, '');
    if (content.length > 2 && isDeeperThan(content, MAX_VALUE_DEPTH)) continue;
    if (/^\{"seq":/.test(content)) addTo(events, parsedJson(content));
    else if (/^"[0-9a-f]{64}": /.test(content)) Object.assign(values, parsedJson(`{${content}}`));
    else if (/^"(?:format|run|definition|files|schemas)": /.test(content))
      Object.assign(parts, parsedJson(`{${content}}`));
    // Only the definitions that the run called are texts without a name.
    else if (content.startsWith('"')) addTo(called, parsedJson(content));
  }
  return { ...parts, events, values, called, isCut: true };
}

function addTo(list: unknown[], parsed: unknown): void {
  if (parsed !== undefined) list.push(parsed);
}

/** Yields the lines of a text. The run has several, which are joined. */
function* partsOf(text: string): Generator<string, void> {
  let run: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line === '  "run": {') run = [];
    run?.push(line);
    if (run === undefined) yield line;
    else if (line.startsWith('  }')) {
      yield run.join(' ');
      run = undefined;
    }
  }
}

/** The events name the run, too, in case its record is damaged. */
function idOf(run: Fields, events: unknown): RunId | undefined {
  const first: unknown = Array.isArray(events)
    ? events.find((one) => isMap(one) && one['rootRunId'] === undefined)
    : {};
  const id = textIn(run, 'runId') ?? (isMap(first) ? textIn(first, 'runId') : undefined);
  return id !== undefined && idForm.test(id) ? asRunId(id) : undefined;
}

function numberOf({ number }: Fields): number | undefined {
  return Number.isInteger(number) && Number(number) > 0 && Number(number) < 2 ** 31 ? Number(number) : undefined;
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= lastMoment;
}

function checkedEvents(list: unknown, runId: RunId, problems: string[]): readonly EventEnvelope[] {
  if (!Array.isArray(list)) {
    problems.push('The events are missing.');
    return [];
  }
  const events = list.filter((one): one is EventEnvelope => isSoundEvent(one, runId));
  const bad = list.length - events.length;
  if (bad > 0) problems.push(`Events that are damaged and left out: ${bad} of ${list.length}.`);
  return events;
}

function isSoundEvent(value: unknown, runId: RunId): boolean {
  if (!isMap(value) || !isMap(value['context']) || !isMap(value['event']) || !isMoment(value['at'])) return false;
  if (typeof value['event']['type'] !== 'string' || !isOfRun(value, runId)) return false;
  return eventProblem(value as unknown as EventEnvelope) === undefined;
}

/** Events of child runs name the run as their root. */
function isOfRun({ runId: own, rootRunId: root, parentRunId: parent }: Fields, runId: RunId): boolean {
  const isId = (id: unknown): boolean => typeof id === 'string' && idForm.test(id);
  return root === undefined ? own === runId && parent === undefined : root === runId && isId(own) && isId(parent);
}

/** Other values than the ones that the hashes were made of could be shown as outputs of the run. */
function checkedValues(map: unknown, problems: string[]): ReadonlyMap<string, string> {
  const sizes = new Map<
    string,
    { readonly length: number; readonly within: readonly string[]; readonly text: string }
  >();
  const entries = Object.entries(isMap(map) ? map : {}) as [string, JsonValue][];
  for (const [hash, value] of entries) {
    const text = JSON.stringify(value);
    if (contentHash(text) === hash) sizes.set(hash, { length: text.length, within: handlesIn(value), text });
  }
  const known = new Map<string, number>();
  const wholeLength = (hash: string, depth: number): number => {
    const own = sizes.get(hash);
    if (own === undefined) return 0;
    if (depth > deepestValue) return Number.POSITIVE_INFINITY;
    const length = known.get(hash) ?? own.within.reduce((sum, one) => sum + wholeLength(one, depth + 1), own.length);
    known.set(hash, length);
    return length;
  };
  const sound = [...sizes].filter(([hash]) => wholeLength(hash, 0) <= longestValue);
  const bad = entries.length - sound.length;
  if (bad > 0)
    problems.push(
      `Large values that differ from their hash or are too large, and are left out: ${bad} of ${entries.length}.`,
    );
  return new Map(sound.map(([hash, { text }]) => [hash, text]));
}

/** Returns the hashes of all handles in a value, each as often as it occurs. */
function handlesIn(within: JsonValue): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [within];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isValueHandle(value as JsonValue)) found.push(String((value as Fields)['$value']));
    // A list can have more items than a call may have arguments.
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) open.push(one);
  }
  return found;
}

function countMissing(events: readonly EventEnvelope[], values: ReadonlyMap<string, string>, problems: string[]): void {
  const all = new Set(events.flatMap(({ event }) => handlesIn(event as unknown as JsonValue)));
  const missing = [...all].filter((hash) => !values.has(hash)).length;
  if (missing > 0)
    problems.push(`Large values that are missing, so that only their start is shown: ${missing} of ${all.size}.`);
}

function notARun(shownPath: string): EngineError {
  return new EngineError({
    code: 'sent.not-a-run',
    message: `${shownPath} is not a run that Millrace has sent or exported. Choose a file that \`millrace runs send\` or *Export…* has written.`,
  });
}

function newerFormat(shownPath: string): EngineError {
  return new EngineError({
    code: 'sent.newer-format',
    message: `${shownPath} was written by a newer version of Millrace. Update Millrace to open it.`,
  });
}
