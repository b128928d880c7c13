/**
 * A cassette's file: read once, then written as a whole, one writing after the other.
 *
 * It is YAML, because prompts and answers of many lines can be read and compared line by line in it:
 *
 *     cassette: 1
 *     calls:
 *     - kind: model
 *       request: { … }
 *       response: { … }
 */

import { Document, isNode, isScalar, LineCounter, parse, parseDocument, visit, YAMLError } from 'yaml';
import { z } from 'zod';
import { EngineError } from '../base/engine-error.ts';
import { isDeeperThan, isValueDeeperThan, MAX_JSON_DEPTH, parserWords, tooDeepText } from '../base/json-limits.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { toWriteError } from '../files/file-error.ts';
import { readTextFile } from '../files/read-text.ts';
import { isExactInteger, unsafeNumberMessage } from '../flowspec/exact-json.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { changedOnDisk, newerFormat, unreadable } from './cassette-error.ts';
import type { RecordedCall } from './compare-requests.ts';

/** The number after `cassette:`. A change that older versions cannot read counts it up. */
const format = 1;

const head = `# Recorded calls, to be replayed. Written by Millrace; keys and passwords are left out.\ncassette: ${format}\n`;

/** Values come from YAML and are known to be JSON; looking through each of them once more would make large ones slow. */
const anyJson: z.ZodType<JsonValue> = z.any();

const call = { kind: z.string().min(1), request: anyJson };
const error = z.strictObject({
  code: z.string().min(1),
  message: z.string(),
  recoverable: z.exactOptional(z.boolean()),
  details: z.exactOptional(anyJson),
});
const anyFormat = z.looseObject({ cassette: z.number().int().min(1) });
const cassetteFile = z.strictObject({
  cassette: z.literal(format),
  calls: z.array(
    z.union([z.strictObject({ ...call, response: anyJson }), z.strictObject({ ...call, error })], {
      error: 'must be { kind, request, response } or { kind, request, error: { code, message } }',
    }),
  ),
});

/** Text that would not come back from lines of its own: with space before it or on a line alone, or with control characters. */
const fragileText = /^\s|\n[ \t]+(?:\n|$)|\p{Cc}(?<![\n\t])/u;

/** The text of one call. */
export function callText({ kind, request, outcome }: RecordedCall): string {
  const document = new Document([{ kind, request, ...outcome }], { aliasDuplicateObjects: false });
  visit(document, {
    // Lengths of pieces, one a line, would fill pages.
    Seq(_, list) {
      list.flow = list.items.length > 0 && list.items.every((item) => isScalar(item) && typeof item.value === 'number');
    },
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && fragileText.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, blockQuote: 'literal', flowCollectionPadding: false });
}

/** The text of a whole file. */
export function cassetteText(callTexts: readonly string[]): string {
  return callTexts.length === 0 ? `${head}calls: []\n` : `${head}calls:\n${callTexts.join('')}`;
}

/**
 * Reads a file's text.
 * @param file for messages
 * @throws EngineError `cassette.unreadable` | `cassette.newer-format`
 */
export function parseCassette(file: string, text: string): RecordedCall[] {
  const content = parseYaml(file, text);
  if (isValueDeeperThan(content, MAX_JSON_DEPTH)) throw unreadable(file, `it ${tooDeepText}`);
  const beginning = anyFormat.safeParse(content);
  if (!beginning.success) throw unreadable(file, `it does not say "cassette: ${format}"`);
  if (beginning.data.cassette > format) throw newerFormat(file, beginning.data.cassette);
  const checked = cassetteFile.safeParse(content);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const { path = [], message } = issue ?? {};
    throw unreadable(file, `${lineText(text, path)}${path.join('.') || 'the file'} ${message}`);
  }
  return checked.data.calls.map((entry) => {
    const outcome = 'error' in entry ? { error: entry.error } : { response: entry.response };
    return { kind: entry.kind, request: entry.request, outcome };
  });
}

/** The line of a value, to begin a message with; empty for one that is missing. */
function lineText(text: string, path: readonly PropertyKey[]): string {
  const lineCounter = new LineCounter();
  const value = path.length === 0 ? null : parseDocument(text, { logLevel: 'error', lineCounter }).getIn(path, true);
  const start = isNode(value) ? value.range?.[0] : undefined;
  return start === undefined ? '' : `line ${lineCounter.linePos(start).line}: `;
}

/** @throws RangeError for an integer that would be rounded */
function plainNumber(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  if (isExactInteger(value)) return Number(value);
  throw new RangeError(unsafeNumberMessage('it', String(value)));
}

function parseYaml(file: string, text: string): unknown {
  // Of JSON this is known sooner than the parser of YAML finds it.
  if (/^\s*[[{]/.test(text) && isDeeperThan(text, MAX_JSON_DEPTH)) throw unreadable(file, `it ${tooDeepText}`);
  try {
    // None of ours has aliases, and a few lines of them can stand for gigabytes.
    const options = { version: '1.2', logLevel: 'error', maxAliasCount: 0 } as const;
    // Of what is recorded no number is that long, but people may write one.
    if (!/\d{16}/.test(text)) return parse(text, options);
    return parse(text, (_key, value: unknown) => plainNumber(value), { ...options, intAsBigInt: true });
  } catch (thrown) {
    const place = thrown instanceof YAMLError ? `line ${thrown.linePos?.[0].line ?? 1}: ` : '';
    const [firstLine = ''] = parserWords(thrown).split('\n');
    throw unreadable(file, `${place}${firstLine.replace(/[.:]$/, '')}`);
  }
}

/** A longer file is neither read nor written. */
const maxBytes = 256 * 1024 * 1024;

export interface CassetteFile {
  /** Its text when it was opened; undefined = there was no file. */
  readonly text: string | undefined;
  /**
   * Resolves when the disk has what `render` gives. Calls that come while a writing goes on share the next one.
   * @throws EngineError `cassette.changed` | `files.not-writable` | `files.too-large`, or what `render` throws
   */
  save(render: () => string): Promise<void>;
}

/**
 * @param file absolute
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
      // Each writing has the calls of all before it, so that one may fail and the next succeed.
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
    message: `${file} would grow over ${maxBytes / 1024 / 1024} MiB. Spread the calls over several cassettes.`,
  });
}
