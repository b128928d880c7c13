/**
 * Reads a cassette file once, then rewrites it as a whole, one write after the other.
 *
 * The format is YAML, because long prompts and responses can be read and diffed line by line:
 *
 * cassette: 1
 *
 * calls:
 * - kind: model request: { … } response: { … }
 */

import { Document, isNode, isScalar, LineCounter, parse, parseDocument, visit, YAMLError } from 'yaml';
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import {
  isDeeperThan,
  isValueDeeperThan,
  MAX_JSON_DEPTH,
  parserErrorText,
  tooDeepText,
} from '../../base/json-limits.ts';
import { isExactInteger, unsafeNumberMessage } from '../../language/json/exact-json.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { toWriteError } from '../../world/files/file-error.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { changedOnDisk, newerFormat, notCassette, unreadable } from './cassette-error.ts';
import type { RecordedCall } from './compare-requests.ts';

/** The number after `cassette:`. Incremented for changes that older versions cannot read. */
const format = 1;

const head = `# Recorded calls, to be replayed. Written by Millrace; keys and passwords are removed.\ncassette: ${format}\n`;

/** Values parsed from YAML are known to be JSON. Validating large values again would be slow. */
const anyJson: z.ZodType<JsonValue> = z.any();

const call = { kind: z.string().min(1), request: anyJson };
const error = z.strictObject({
  code: z.string().min(1),
  message: z.string(),
  recoverable: z.exactOptional(z.boolean()),
  details: z.exactOptional(anyJson),
});
const anyFormat = z.looseObject({ cassette: z.number().int().min(1) });
const cassetteFile = z.strictObject({ cassette: z.literal(format), calls: z.array(z.unknown()) });
const cassetteCall = z.union([z.strictObject({ ...call, response: anyJson }), z.strictObject({ ...call, error })], {
  error: 'must be { kind, request, response } or { kind, request, error: { code, message } }',
});
/** The readable parts of an invalid entry may still identify its call. */
const anyCall = z.looseObject(call);

/**
 * Matches text that a block scalar would not preserve: with leading spaces, whitespace-only lines, or control
 * characters.
 */
const fragileText = /^\s|\n[ \t]+(?:\n|$)|\p{Cc}(?<![\n\t])/u;

/** Formats one call. */
export function callText({ kind, request, outcome }: RecordedCall): string {
  const document = new Document([{ kind, request, ...outcome }], { aliasDuplicateObjects: false });
  visit(document, {
    // With one chunk length per line, the list would fill pages.
    Seq(_, list) {
      list.flow = list.items.length > 0 && list.items.every((item) => isScalar(item) && typeof item.value === 'number');
    },
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && fragileText.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({
    ...{ lineWidth: 0, blockQuote: 'literal', flowCollectionPadding: false },
    // On several lines, `yaml` escapes a line that contains only one space twice.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  });
}

/** Formats a whole file. */
export function cassetteText(callTexts: readonly string[]): string {
  return callTexts.length === 0 ? `${head}calls: []\n` : `${head}calls:\n${callTexts.join('')}`;
}

/** An invalid entry in the call list. */
interface OddEntry {
  /** The problem, with the line. */
  readonly problem: string;
  /** Original text, preserved when the file is written. */
  readonly text: string;
  /** The call of the entry, if it can be identified. */
  readonly asked?: Pick<RecordedCall, 'kind' | 'request'>;
}

/** An entry in the call list. */
export type CassetteEntry = RecordedCall | OddEntry;

export function isInvalidCassetteEntry(entry: CassetteEntry): entry is OddEntry {
  return 'problem' in entry;
}

/**
 * Parses the text of a file. An invalid entry does not affect the others.
 * @param file name of the file, for messages
 * @throws EngineError `cassette.unreadable` | `cassette.newer-format` if the file is not a list of calls
 */
export function parseCassette(file: string, text: string): readonly CassetteEntry[] {
  let content: unknown;
  try {
    content = readYaml(text);
  } catch (thrown) {
    // A single entry can make the whole text invalid YAML. In that case, the text without its entries must be a valid
    // cassette.
    const pieces = splitCalls(text);
    if (pieces === undefined) throw unreadableYaml(file, thrown);
    checkFrame(file, text, readFrame(file, pieces.head));
    return pieces.calls.map(readPiece);
  }
  let pieces: SplitCalls | undefined;
  return checkFrame(file, text, content).map((value, index) => {
    return readEntry(value, () => {
      pieces ??= splitCalls(text);
      const piece = pieces?.calls[index];
      const place = lineText(text, ['calls', index]) || (piece === undefined ? '' : `line ${piece.line}: `);
      return { index, place, text: piece?.text ?? new Document([value]).toString() };
    });
  });
}

function readFrame(file: string, head: string): unknown {
  try {
    return readYaml(`${head}calls: []\n`);
  } catch (thrown) {
    throw unreadableYaml(file, thrown);
  }
}

/** Returns the call list. @throws EngineError `cassette.unreadable` | `cassette.newer-format` */
function checkFrame(file: string, text: string, content: unknown): readonly unknown[] {
  const beginning = anyFormat.safeParse(content);
  if (!beginning.success) throw notCassette(file, format);
  if (beginning.data.cassette > format) throw newerFormat(file, beginning.data.cassette);
  const checked = cassetteFile.safeParse(content);
  if (checked.success) return checked.data.calls;
  const [issue] = checked.error.issues;
  const { path = [], message } = issue ?? {};
  throw unreadable(file, `${lineText(text, path)}${path.join('.') || 'the file'} ${message}`);
}

/** The text and position of one entry. */
interface CallPiece {
  readonly index: number;
  readonly line: number;
  readonly text: string;
}

interface SplitCalls {
  /** The text before the list. */
  readonly head: string;
  readonly calls: readonly CallPiece[];
}

/** Splits the call list at the start of each entry without parsing the entries; undefined if the list was not found. */
function splitCalls(text: string): SplitCalls | undefined {
  const start = /^calls:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (start === null) return undefined;
  const head = text.slice(0, start.index);
  const rest = text.slice(start.index + start[0].length);
  const indent = /^( *)-(?:\s|$)/m.exec(rest)?.[1];
  if (indent === undefined) return undefined;
  const firstLine = head.split('\n').length + 1;
  const calls: { index: number; line: number; text: string }[] = [];
  for (const [at, line] of rest.split('\n').entries()) {
    const own = line.startsWith(indent) ? line.slice(indent.length) : line;
    const current = calls.at(-1);
    if (/^-(?:\s|$)/.test(own)) calls.push({ index: calls.length, line: firstLine + at, text: `${own}\n` });
    else if (current !== undefined) current.text += `${own}\n`;
  }
  return { head, calls };
}

function readPiece({ index, line, text }: CallPiece): CassetteEntry {
  try {
    const [value] = z.array(z.unknown()).parse(readYaml(text));
    return readEntry(value, () => ({ index, place: `line ${line}: `, text }));
  } catch (thrown) {
    const { line: at = 1, reason } = yamlProblem(thrown);
    return { problem: `line ${line + at - 1}: calls.${index} cannot be read: ${reason}`, text };
  }
}

interface EntryPlace {
  readonly index: number;
  /** The line as a prefix for messages. */
  readonly place: string;
  readonly text: string;
}

/** @param find returns the position of the entry; only called if it is invalid */
function readEntry(value: unknown, find: () => EntryPlace): CassetteEntry {
  const isDeep = isValueDeeperThan([[value]], MAX_JSON_DEPTH);
  const checked = isDeep ? undefined : cassetteCall.safeParse(value);
  if (checked?.success === true) {
    const { kind, request, ...rest } = checked.data;
    return { kind, request, outcome: 'error' in rest ? { error: rest.error } : { response: rest.response } };
  }
  const { index, place, text } = find();
  const issue = checked?.error.issues[0];
  const where = ['calls', index, ...(issue?.path ?? [])].join('.');
  const { kind, request } = (isDeep ? undefined : anyCall.safeParse(value).data) ?? {};
  return {
    problem: `${place}${where} ${issue?.message ?? tooDeepText}`,
    text,
    ...(kind === undefined || request === undefined ? {} : { asked: { kind, request } }),
  };
}

/** Returns the line of a value as a prefix for messages; empty if it is missing. */
function lineText(text: string, path: readonly PropertyKey[]): string {
  const lineCounter = new LineCounter();
  const value = path.length === 0 ? null : parseDocument(text, { logLevel: 'error', lineCounter }).getIn(path, true);
  const start = isNode(value) ? value.range?.[0] : undefined;
  return start === undefined ? '' : `line ${lineCounter.linePos(start).line}: `;
}

/** @throws RangeError for an integer that would lose precision */
function plainNumber(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  if (isExactInteger(value)) return Number(value);
  throw new RangeError(unsafeNumberMessage('it', String(value)));
}

/** @throws Error as explained by `yamlProblem` */
function readYaml(text: string): unknown {
  // For JSON, this check is much faster than failing in the YAML parser.
  if (/^\s*[[{]/.test(text) && isDeeperThan(text, MAX_JSON_DEPTH)) throw new RangeError(`it ${tooDeepText}`);
  // Cassettes contain no aliases, and a few lines of aliases can expand to gigabytes.
  const options = { version: '1.2', logLevel: 'error', maxAliasCount: 0 } as const;
  // Recorded numbers are never so long, but people may edit the file.
  if (!/\d{16}/.test(text)) return parse(text, options);
  return parse(text, (_key, value: unknown) => plainNumber(value), { ...options, intAsBigInt: true });
}

function yamlProblem(thrown: unknown): { readonly line?: number; readonly reason: string } {
  const [firstLine = ''] = parserErrorText(thrown).split('\n');
  const reason = firstLine.replace(/[.:]$/, '');
  return thrown instanceof YAMLError ? { line: thrown.linePos?.[0].line ?? 1, reason } : { reason };
}

function unreadableYaml(file: string, thrown: unknown): EngineError {
  const { line, reason } = yamlProblem(thrown);
  return unreadable(file, `${line === undefined ? '' : `line ${line}: `}${reason}`);
}

/** Maximum file size for reading and writing, in bytes. */
const maxBytes = 256 * 1024 * 1024;

export interface CassetteFile {
  /** The text when the file was opened; undefined if it did not exist. */
  readonly text: string | undefined;
  /**
   * Resolves when the result of `render` is written. Calls made during a write share the next write.
   * @throws EngineError `cassette.changed` | `files.not-writable` | `files.too-large`, or the error of `render`
   */
  save(render: () => string): Promise<void>;
}

/**
 * @param file absolute path
 * @throws EngineError `cassette.unreadable`
 */
export async function openCassetteFile(file: string): Promise<CassetteFile> {
  const text = await readIfThere(file);
  let known = text;
  let last = Promise.resolve();
  let next: Promise<void> | undefined;

  async function write(content: string): Promise<void> {
    if ((await readIfThere(file)) !== known) throw changedOnDisk(file);
    if (Buffer.byteLength(content) > maxBytes) throw tooLarge(file);
    await writeFileAtomically(file, content).catch((thrown: unknown) => {
      throw toWriteError(thrown, file);
    });
    known = content;
  }

  return {
    text,
    save(render) {
      next ??= last.then(() => {
        next = undefined;
        return write(render());
      });
      // Each write contains all earlier calls, so the next one can succeed after a failure.
      last = next.catch(() => {});
      return next;
    },
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file, { maxBytes, shownPath: file });
  } catch (thrown) {
    if (!EngineError.is(thrown)) throw thrown;
    if (thrown.code === 'files.not-found') return undefined;
    throw unreadable(file, thrown.message.replace(/\.$/, ''));
  }
}

function tooLarge(file: string): EngineError {
  return new EngineError({
    code: 'files.too-large',
    message: `${file} would grow beyond ${maxBytes / 1024 / 1024} MiB. Distribute the calls over several cassettes.`,
  });
}
