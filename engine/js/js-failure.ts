/**
 * What the failure of a script in JavaScript is to the engine: a code, a message and the lines of the code.
 */
import { cutText } from '../base/cut-text.ts';
import type { ErrorRecord } from '../base/engine-error.ts';

/** What was thrown, as texts; empty where there is none. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

interface FailedScript {
  readonly code: string;
  readonly memoryBytes: number;
  /** Whether there was no more memory for it at some time. */
  readonly isFull: boolean;
}

/** More lines than this say nothing new. */
const maxLines = 12;

/** A name and what it says, as people know errors. */
function textOf({ name, message }: ThrownError): string {
  const text = message === '' ? name : `${name === '' ? '' : `${name}: `}${message}`;
  return cutText(text === '' ? 'Something was thrown that says nothing' : text, 1000);
}

/** Lines of the script that a stack names, from the innermost on, each once for as often as it follows itself. */
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

/** Why a script does not compile. */
export function syntaxProblem(thrown: ThrownError, code: string): { readonly line?: number; readonly message: string } {
  const [line] = linesOf(thrown.stack, code);
  return { message: thrown.message, ...(line === undefined ? {} : { line }) };
}

/** `js.syntax`, for a script that does not compile; or what kept it from being compiled. */
export function recordSyntax(thrown: ThrownError, script: FailedScript): ErrorRecord {
  if (thrown.name !== 'SyntaxError') return recordThrown(thrown, script);
  return recordOf('syntax', textOf(thrown), linesOf(thrown.stack, script.code).slice(0, 1));
}

/** `js.error` or `js.memory`, with the lines of the code as `details.lines`, from the innermost on. */
export function recordThrown(thrown: ThrownError, { code, memoryBytes, isFull }: FailedScript): ErrorRecord {
  const isMemory = isFull && thrown.name === 'InternalError';
  const limit = isMemory ? ` (a script may use ${Math.round(memoryBytes / 2 ** 20)} MiB)` : '';
  return recordOf(isMemory ? 'memory' : 'error', textOf(thrown) + limit, linesOf(thrown.stack, code));
}

/** Places in modules that a stack names, from the innermost on. */
function placesOf(stack: string): string[] {
  const places = Array.from(
    stack.matchAll(/([\w./-]+\.m?js):(\d+)(?::\d+)?\)?$/gm),
    ([, file, line]) => `${file}:${line}`,
  );
  return places.filter((place, at) => place !== places[at - 1]).slice(0, maxLines);
}

/** `js.error`, `js.syntax` or `js.memory`, for what an agent's modules threw, with places in them as `details.places`. */
export function recordModule(thrown: ThrownError, { memoryBytes, isFull }: Omit<FailedScript, 'code'>): ErrorRecord {
  if (isFull && thrown.name === 'InternalError') return recordThrown(thrown, { code: '', memoryBytes, isFull });
  const places = placesOf(thrown.stack);
  const where = places.map((place) => `\nAt ${place}`).join('');
  const { code, message } = recordOf(thrown.name === 'SyntaxError' ? 'syntax' : 'error', textOf(thrown), []);
  return { code, message: `${message}${where}`, ...(places.length === 0 ? {} : { details: { places } }) };
}

/** `js.error`, for one that waits when there is nothing left to do. */
export function neverEnds(): ErrorRecord {
  return recordOf('error', 'The script waits for a promise that nothing will ever settle', []);
}

/** `node.bad-output`, for a result that JSON cannot hold. */
export function badResult(path: readonly (string | number)[], message: string): ErrorRecord {
  return {
    code: 'node.bad-output',
    message: `${['output', ...path].join('.')} ${message}`,
    details: [{ path: [...path], message }],
  };
}

/** `node.output-too-large`. @param maxBytes that were allowed */
export function largeResult(maxBytes: number): ErrorRecord {
  return {
    code: 'node.output-too-large',
    message: `What the script returned is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Give less.`,
    details: { maxOutputBytes: maxBytes },
  };
}
