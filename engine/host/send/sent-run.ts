/**
 * Exports a run for other people: the format of any export, without private values, and with everything that the run
 * called, so that it can be opened and replayed elsewhere. `docs/history.md` describes it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { contentHash, handleFor } from '../../history/store/large-value.ts';
import type { SchemaFile } from '../../language/flow/schema-files.ts';
import { packDefinition, type StoredDefinition } from '../../language/flow/stored-definition.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { collectHandles } from '../reads/export-run.ts';
import type { RunHistoryReader } from '../reads/history.ts';
import { type ExecutedDefinition, readDefinitions } from '../reads/run-definitions.ts';
import { PrivateValues, type Redaction, type RedactionChoice } from './redaction.ts';
import { StreamedTexts } from './streamed-texts.ts';

/** A run to send. */
export interface SendSource {
  readonly history: Pick<RunHistoryReader, 'readHead' | 'readStoredDefinition' | 'readEvents' | 'readValues'>;
  readonly runId: RunId;
  /** Secrets of this workspace. */
  readonly known: readonly string[];
}

/** The part of a run that contains a private value. `name` is that of a node or a called file. */
export interface PrivatePlace {
  readonly part: 'run' | 'flow' | 'called' | 'input' | 'node';
  readonly name?: string;
}

/** A part of the file. */
export interface SentPiece {
  readonly place: PrivatePlace;
  readonly text: string;
}

/** Finds the private values of a run: in its events, its large values, its definition and those of what it called. */
export async function findPrivateValues(source: SendSource, choice: RedactionChoice): Promise<PrivateValues> {
  const { history, runId, known } = source;
  const values = new PrivateValues(known, choice);
  const { run, lastSeq } = await history.readHead(runId);
  const seen = new Set<string>();
  const texts = new StreamedTexts((text) => values.findIn(text));
  values.findIn(marksOf(run));
  for await (const page of readPages(history, runId, { lastSeq })) {
    for (const envelope of page) {
      texts.add(envelope);
      values.findIn(envelope as unknown as JsonValue);
      await eachValue(history, envelope as unknown as JsonValue, seen, (value) => values.findIn(value));
    }
  }
  texts.end();
  for (const { definition } of await readDefinitions(history, runId)) findInDefinition(values, definition);
  return values;
}

function findInDefinition(values: PrivateValues, { text, schemas }: StoredDefinition): void {
  values.findInDefinition(text);
  for (const [name, file] of schemas) {
    values.findIn(name);
    if ('flow' in file) {
      values.findIn(file.flow.path);
      findInDefinition(values, { text: file.flow.text, schemas: new Map(file.flow.files) });
    } else values.findIn(file as unknown as JsonValue);
  }
}

async function eachValue(
  history: SendSource['history'],
  within: JsonValue,
  seen: Set<string>,
  see: (value: JsonValue) => void,
): Promise<void> {
  const hashes = new Set<string>();
  collectHandles(within, hashes);
  for (const hash of hashes) {
    if (seen.has(hash)) continue;
    seen.add(hash);
    const value = (await history.readValues([hash])).get(hash);
    if (value === undefined) continue;
    see(value);
    await eachValue(history, value, seen, see);
  }
}

/**
 * Yields the file in pieces. @throws EngineError `run.not-found`; `export.private-left` if a value cannot be replaced
 */
export async function* sentPieces(source: SendSource, redaction: Redaction): AsyncGenerator<SentPiece, void> {
  for await (const piece of new SentRun(source, redaction).pieces()) {
    if (redaction.isLeaking(piece.text)) throw privateLeft(piece.place);
    yield piece;
  }
}

class SentRun {
  readonly #source: SendSource;
  readonly #redaction: Redaction;
  /** Hashes of definitions, by those of the originals. */
  readonly #hashes = new Map<string, string>();
  /** Large values without private values, by the hash of the original, with the place of the first event. */
  readonly #values = new Map<string, { readonly handle: JsonValue; readonly place: PrivatePlace }>();
  /** Requests are identified by hashes, from which a short request could be guessed. */
  readonly #salt = randomBytes(16).toString('hex');

  constructor(source: SendSource, redaction: Redaction) {
    this.#source = source;
    this.#redaction = redaction;
  }

  async *pieces(): AsyncGenerator<SentPiece, void> {
    const { history, runId } = this.#source;
    const head = await history.readHead(runId);
    yield* this.#definitions(head.run, await readDefinitions(history, runId));
    yield { place: { part: 'run' }, text: '  "events": [' };
    let separator = '\n    ';
    const texts = new StreamedTexts(undefined, (emit) => this.#redaction.stream(emit));
    for await (const page of readPages(history, runId, head)) {
      for (const envelope of page) texts.add(envelope);
      if (page.at(-1)?.seq === head.lastSeq) texts.end();
      for (const ready of texts.take()) {
        yield { place: placeOf(ready), text: separator + JSON.stringify(await this.#event(ready)) };
        separator = ',\n    ';
      }
    }
    yield { place: { part: 'run' }, text: '\n  ],\n  "values": {' };
    yield* this.#largeValues();
    yield { place: { part: 'run' }, text: '\n  }\n}\n' };
  }

  *#definitions(run: RunSummary, [own, ...called]: readonly ExecutedDefinition[]): Generator<SentPiece, void> {
    if (own === undefined) return;
    const clean = [own, ...called].map(({ hash, path, definition }) => {
      const redacted = this.#definition(definition);
      this.#hashes.set(hash, contentHash(packDefinition(redacted)));
      return { path, redacted };
    });
    const record = { ...run, ...(this.#redaction.value(marksOf(run)) as JsonMap), definitionHash: this.#hashOf(run) };
    yield { place: { part: 'run' }, text: `{\n  "format": "millrace.run/1",\n  "run": ${JSON.stringify(record)},\n` };
    for (const [index, { path, redacted }] of clean.entries()) {
      const { text, schemas } = redacted;
      const start = index === 0 ? `  "definition": ${JSON.stringify(text)},\n  "files": ` : '';
      const packed = index === 0 ? JSON.stringify([...schemas]) : JSON.stringify(packDefinition(redacted));
      const place: PrivatePlace = index === 0 ? { part: 'flow' } : { part: 'called', name: path };
      const before = index === 1 ? ',\n  "called": [\n    ' : index > 1 ? ',\n    ' : '';
      yield { place, text: before + start + packed };
    }
    yield { place: { part: 'run' }, text: clean.length > 1 ? '\n  ],\n' : ',\n' };
  }

  #definition({ text, schemas }: StoredDefinition): StoredDefinition {
    const files = [...schemas].map(([name, file]): readonly [string, SchemaFile] => [
      String(this.#redaction.value(name)),
      this.#file(file),
    ]);
    return { text: this.#redaction.definition(text), schemas: new Map(files) };
  }

  #file(file: SchemaFile): SchemaFile {
    if (!('flow' in file)) return this.#redaction.value(file as unknown as JsonValue) as unknown as SchemaFile;
    const { path, text, files } = file.flow;
    const { text: clean, schemas } = this.#definition({ text, schemas: new Map(files) });
    return { flow: { path: String(this.#redaction.value(path)), text: clean, files: [...schemas] } };
  }

  #hashOf({ definitionHash }: { readonly definitionHash: string }): string {
    return this.#hashes.get(definitionHash) ?? definitionHash;
  }

  async #event(envelope: EventEnvelope): Promise<JsonValue> {
    const { event } = envelope;
    const clean = await this.#clean(envelope as unknown as JsonValue, placeOf(envelope));
    const own = isJsonMap(clean) && isJsonMap(clean['event']) ? clean['event'] : {};
    const start = event.type === 'run:start' ? { definitionHash: this.#hashOf(event), kind: event.kind } : {};
    const hashes = ['messagesHash', 'callKey', 'requestHash'].flatMap((name) => {
      const hash = own[name];
      return typeof hash === 'string' ? [[name, this.#salted(hash)] as const] : [];
    });
    // Own words can be part of the names that readers depend on.
    const status = 'status' in event ? { status: event.status } : {};
    const kept = { type: event.type, ...status, ...start, ...Object.fromEntries(hashes) };
    return { ...(clean as JsonMap), runId: envelope.runId, event: { ...own, ...kept } };
  }

  #salted(key: string): string {
    return key.replace(/[0-9a-f]{64}/, (hash) =>
      createHash('sha256')
        .update(this.#salt + hash)
        .digest('hex'),
    );
  }

  async #clean(value: JsonValue, place: PrivatePlace): Promise<JsonValue> {
    const hashes = new Set<string>();
    collectHandles(value, hashes);
    for (const hash of hashes) await this.#readLarge(hash, place);
    const clean = this.#redaction.value(value);
    return hashes.size === 0 ? clean : this.#withHandles(clean);
  }

  #withHandles(value: JsonValue): JsonValue {
    if (isValueHandle(value)) return this.#values.get(value.$value)?.handle ?? value;
    if (Array.isArray(value)) return value.map((item) => this.#withHandles(item));
    if (!isJsonMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#withHandles(one)]));
  }

  /** Large values have other hashes without their private values. */
  async #readLarge(hash: string, place: PrivatePlace): Promise<void> {
    if (this.#values.has(hash)) return;
    const value = (await this.#source.history.readValues([hash])).get(hash);
    if (value === undefined) return;
    const clean = await this.#clean(value, place);
    const jsonText = JSON.stringify(clean);
    const stored = { hash: contentHash(jsonText), bytes: Buffer.byteLength(jsonText), jsonText };
    this.#values.set(hash, { handle: { ...handleFor(clean, stored) }, place });
  }

  async *#largeValues(): AsyncGenerator<SentPiece, void> {
    const written = new Set<string>();
    for (const [hash, { handle, place }] of this.#values) {
      const own = isValueHandle(handle) ? handle.$value : '';
      const value = (await this.#source.history.readValues([hash])).get(hash);
      if (value === undefined || written.has(own)) continue;
      const separator = written.size === 0 ? '' : ',';
      written.add(own);
      yield { place, text: `${separator}\n    "${own}": ${JSON.stringify(await this.#clean(value, place))}` };
    }
  }
}

/** Returns what people and flows have written into a run's summary. */
function marksOf(run: RunSummary): JsonMap {
  const names = ['name', 'sourcePath', 'startedBy', 'labels', 'note', 'error', 'failedNodes', 'damage'] as const;
  const parts = names.flatMap((name) => (run[name] === undefined ? [] : [[name, run[name]] as const]));
  return Object.fromEntries(parts) as unknown as JsonMap;
}

function placeOf({ event, context }: EventEnvelope): PrivatePlace {
  const nodeId = 'nodeId' in event ? event.nodeId : (context.node?.id ?? context.task?.id.replace(/^node:/, ''));
  if (nodeId !== undefined) return { part: 'node', name: nodeId };
  return { part: event.type === 'run:start' ? 'input' : 'run' };
}

function privateLeft({ part, name }: PrivatePlace): EngineError {
  return new EngineError({
    code: 'export.private-left',
    message: `A private value in ${name ?? `the ${part}`} cannot be replaced, so nothing was written. Send the run without it, or keep the value.`,
  });
}
