/**
 * Converts a JavaScript script's failure to an engine error: a code, a message and the code lines.
 */
import { cutText } from '../../base/cut-text.ts';
import type { ErrorRecord } from '../../base/engine-error.ts';

/** A thrown value as text; empty if absent. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

interface FailedScript {
  readonly code: string;
  readonly memoryBytes: number;
  /** Whether it ran out of memory at some point. */
  readonly isFull: boolean;
}

/** Maximum number of lines. More would not add information. */
const maxLines = 12;

/** Formats an error as its name and message. */
function textOf({ name, message }: ThrownError): string {
  const text = message === '' ? name : `${name === '' ? '' : `${name}: `}${message}`;
  return cutText(text === '' ? 'A value without a message was thrown' : text, 1000);
}

/** Returns the script's lines in a stack trace, innermost first, without consecutive duplicates. */
function linesOf(stack: string, code: string): number[] {
  const last = code.split('\n').length;
  const lines = Array.from(stack.matchAll(/\bscript:(\d+)(?::\d+)?\)?$/gm), ([, line]) => Math.min(Number(line), last));
  return lines.filter((line, at) => line !== lines[at - 1]).slice(0, maxLines);
}

function recordOf(kind: string, message: string, lines: readonly number[]): ErrorRecord {
  const [line] = lines;
  return {
    code: `js.${kind}`,
    message: `JavaScript error:\n${message}`,
    ...(line === undefined ? {} : { line, details: { lines } }),
  };
}

/** Returns why a script does not compile. */
export function syntaxProblem(thrown: ThrownError, code: string): { readonly line?: number; readonly message: string } {
  const [line] = linesOf(thrown.stack, code);
  return { message: thrown.message, ...(line === undefined ? {} : { line }) };
}

/** Returns `js.syntax` for a script that does not compile, or the error that prevented compilation. */
export function recordSyntax(thrown: ThrownError, script: FailedScript): ErrorRecord {
  if (thrown.name !== 'SyntaxError') return recordThrown(thrown, script);
  return recordOf('syntax', textOf(thrown), linesOf(thrown.stack, script.code).slice(0, 1));
}

/** Returns `js.error` or `js.memory`, with the code lines in `details.lines`, innermost first. */
export function recordThrown(thrown: ThrownError, { code, memoryBytes, isFull }: FailedScript): ErrorRecord {
  const isMemory = isFull && thrown.name === 'InternalError';
  const limit = isMemory ? ` (a script may use ${Math.round(memoryBytes / 2 ** 20)} MiB)` : '';
  return recordOf(isMemory ? 'memory' : 'error', textOf(thrown) + limit, linesOf(thrown.stack, code));
}

/** Returns the module positions in a stack trace, innermost first. */
function placesOf(stack: string): string[] {
  const places = Array.from(
    stack.matchAll(/([\w./-]+\.m?js):(\d+)(?::\d+)?\)?$/gm),
    ([, file, line]) => `${file}:${line}`,
  );
  return places.filter((place, at) => place !== places[at - 1]).slice(0, maxLines);
}

/**
 * Returns `js.error`, `js.syntax` or `js.memory` for an error thrown by an agent's modules, with the module positions
 * in `details.places`.
 */
export function recordModule(thrown: ThrownError, { memoryBytes, isFull }: Omit<FailedScript, 'code'>): ErrorRecord {
  if (isFull && thrown.name === 'InternalError') return recordThrown(thrown, { code: '', memoryBytes, isFull });
  const places = placesOf(thrown.stack);
  const where = places.map((place) => `\nAt ${place}`).join('');
  const { code, message } = recordOf(thrown.name === 'SyntaxError' ? 'syntax' : 'error', textOf(thrown), []);
  return { code, message: `${message}${where}`, ...(places.length === 0 ? {} : { details: { places } }) };
}

/** Returns `js.error` for a script that waits although nothing is left to do. */
export function neverEnds(): ErrorRecord {
  return recordOf('error', 'The script waits for a promise that can never settle', []);
}

/** Returns `node.bad-output` for a result that JSON cannot represent. */
export function badResult(path: readonly (string | number)[], message: string): ErrorRecord {
  return {
    code: 'node.bad-output',
    message: `${['output', ...path].join('.')} ${message}`,
    details: [{ path: [...path], message }],
  };
}

/** Returns `node.output-too-large`. @param maxBytes the limit */
export function largeResult(maxBytes: number): ErrorRecord {
  return {
    code: 'node.output-too-large',
    message: `The result of the script is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Return less data.`,
    details: { maxOutputBytes: maxBytes },
  };
}
