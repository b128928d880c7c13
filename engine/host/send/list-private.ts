/**
 * Lists the private values of a run that is sent, and writes it without them.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { toWriteError } from '../../world/files/file-error.ts';
import type { PrivateKind } from '../../world/secrets/private-values.ts';
import { idOfPrivate, marks, Redaction, type RedactionChoice } from './redaction.ts';
import { runPage } from './run-page.ts';
import { findPrivateValues, type PrivatePlace, type SendSource, sentPieces } from './sent-run.ts';

/** A private value, without the value. */
export interface PrivateFinding {
  readonly id: string;
  readonly kind: PrivateKind;
  /** How often it occurs. */
  readonly count: number;
  /** The first places, each once. */
  readonly places: readonly PrivatePlace[];
  /** Number of different places. */
  readonly placeCount: number;
  /** The text around its first occurrence, with the mark in its place. */
  readonly sample: string;
}

/** The private values in a run, and the size of the file in bytes. */
export interface PrivateList {
  readonly values: readonly PrivateFinding[];
  readonly bytes: number;
}

/** A run to send, and what to replace. `to` is the absolute path of the file. */
export interface SendRequest extends RedactionChoice {
  readonly runId: RunId;
  readonly to: string;
  /** Writes a page for browsers. */
  readonly isPage?: boolean;
}

/** Number of places that are listed for a value. */
const mostPlaces = 5;
/** Length of the text before and after a value in a sample. In UTF-16 units. */
const sampleLength = 40;

// Marks with the number of their value, in characters for private use, which are not escaped in JSON.
const [start, middle, end] = ['[\ue0d7', '\ue0d8', ']'];
const numbered = /\[\ue0d7(\d+)\ue0d8(\w+)\]/g;

/** Lists the values by kind, the most frequent first. Reads the run as it would be written, so the counts are exact. */
export async function listPrivateValues(source: SendSource, choice: RedactionChoice): Promise<PrivateList> {
  const values = (await findPrivateValues(source, choice)).all;
  const numberOf = new Map(values.map((value, index) => [idOfPrivate(value), index]));
  const redaction = new Redaction(
    values,
    {},
    (found) => `${start}${numberOf.get(idOfPrivate(found)) ?? ''}${middle}${found.kind}${end}`,
  );
  const found = new Map<number, { count: number; sample: string; places: Map<string, PrivatePlace> }>();
  let bytes = 0;
  for await (const { place, text } of sentPieces(source, redaction)) {
    bytes += Buffer.byteLength(text);
    for (const match of text.matchAll(numbered)) {
      const index = Number(match[1]);
      const entry = found.get(index) ?? { count: 0, sample: sampleAt(text, match), places: new Map() };
      entry.count += 1;
      entry.places.set(JSON.stringify(place), place);
      found.set(index, entry);
    }
  }
  const findings = values.flatMap((value, index): PrivateFinding[] => {
    const entry = found.get(index);
    if (entry === undefined) return [];
    const places = [...entry.places.values()];
    const { count, sample } = entry;
    return [
      {
        ...{ id: idOfPrivate(value), kind: value.kind, count, sample },
        ...{ places: places.slice(0, mostPlaces), placeCount: places.length },
      },
    ];
  });
  const byKind = (a: PrivateFinding, b: PrivateFinding): number =>
    kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || b.count - a.count;
  return { values: findings.sort(byKind), bytes };
}

const kindOrder: readonly PrivateKind[] = ['known', 'secret', 'key', 'word', 'email', 'phone', 'card', 'home'];

function sampleAt(text: string, { 0: whole, 2: kind, index }: RegExpExecArray): string {
  const raw = text.slice(Math.max(0, index - 4 * sampleLength), index);
  // The text of the same value, or the name of the value if it has no other text.
  const own = raw.split(/(?<!\\)"/).at(-1) ?? '';
  const before = plain(own === '' ? raw : own).slice(-sampleLength);
  const rest = text.slice(index + whole.length, index + whole.length + 4 * sampleLength);
  const after = plain(rest.split(/(?<!\\)"/)[0] ?? '').slice(0, sampleLength);
  return `${before}${marks[kind as PrivateKind]}${after}`.trim();
}

/** Returns part of a JSON text for display, with other values as marks. */
function plain(text: string): string {
  return text
    .replace(numbered, (_, __, kind: string) => marks[kind as PrivateKind])
    .replace(/\[?\ue0d7[^\]]*$|^\d*\ue0d8?\w*\]/g, '')
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(["\\])/g, '$1')
    .replace(/\s+/g, ' ');
}

/**
 * Writes the file.
 * @throws EngineError `run.not-found` | `export.private-left` | `export.too-large` | `files.not-writable`
 */
export async function saveSentRun(source: SendSource, request: Omit<SendRequest, 'runId'>): Promise<void> {
  const redaction = new Redaction((await findPrivateValues(source, request)).all, request);
  const pieces = textsOf(sentPieces(source, redaction));
  try {
    await writeFileAtomically(request.to, request.isPage === true ? await pageOf(pieces) : pieces);
  } catch (error) {
    throw toWriteError(error, request.to);
  }
}

async function* textsOf(pieces: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string, void> {
  for await (const { text } of pieces) yield text;
}

/** A page is made of the whole run in memory. In UTF-16 units. */
const longestForPage = 128 * 1024 * 1024;

/** Makes the page from the export, so that it contains nothing else. */
async function pageOf(pieces: AsyncIterable<string>): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  for await (const text of pieces) {
    length += text.length;
    if (length > longestForPage) throw tooLargeForPage();
    texts.push(text);
  }
  return runPage(JSON.parse(texts.join('')));
}

function tooLargeForPage(): EngineError {
  return new EngineError({
    code: 'export.too-large',
    message: `The run has more than ${longestForPage / 1024 / 1024} MiB of data, which is too much for a page. Send it as an export.`,
  });
}
