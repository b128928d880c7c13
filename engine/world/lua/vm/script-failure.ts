/**
 * Converts a script's failure to an engine error: a code, a message with the file's lines, and the line number.
 */
import type { ErrorRecord } from '../../../base/engine-error.ts';
import type { ErrorText } from './error-values.ts';
import type { LuaCore } from './lua-core.ts';
import type { LuaValueError } from './values.ts';
import type { LuaState } from './wasm-exports.ts';

export interface StackFrame {
  /** Name of the chunk with its `@`. */
  readonly source: string;
  readonly line: number;
}

/** Byte offsets in `lua_Debug` of Lua 5.4 on 32-bit platforms. */
const offsets = { source: 16, sourceLength: 20, currentLine: 24 } as const;
const recordSize = 128;
/** Deeper stacks are recursions, for which one cycle is enough. */
const maxFrames = 200;

/** Returns the frames of Lua code, innermost first. */
export type FrameReader = (L: LuaState) => StackFrame[];

export function createFrameReader({ api, wasm, text }: LuaCore): FrameReader {
  const record = api.malloc(recordSize);
  const what = text.allocate('Sl').address;
  return (L) => {
    const frames: StackFrame[] = [];
    for (let level = 0; level < maxFrames && api.lua_getstack(L, level, record) !== 0; level++) {
      api.lua_getinfo(L, what, record);
      const words = wasm.words();
      const at = (offset: number): number => words[(record + offset) >> 2] ?? 0;
      const line = at(offsets.currentLine);
      if (line <= 0) continue;
      const address = at(offsets.source);
      const bytes = wasm.bytes().subarray(address, address + at(offsets.sourceLength));
      frames.push({ source: new TextDecoder().decode(bytes), line });
    }
    return frames;
  };
}

/** Information about a failure inside the interpreter. */
export interface RaisedError extends ErrorText {
  readonly kind: 'runtime' | 'syntax' | 'memory';
  readonly frames: readonly StackFrame[];
}

/** Lua source of each chunk, by chunk name with its `@`. */
type Sources = ReadonlyMap<string, string>;

/** Further lines add no information. */
const maxLines = 12;
const maxLineLength = 200;
/** Length of the longest name with which Lua prefixes a message. Of longer names, it keeps the end after three dots. */
const shortNameLength = 59;

function shortName(file: string): string {
  return file.length <= shortNameLength ? file : `...${file.slice(3 - shortNameLength)}`;
}

/** Returns the line number at the start of the message if it refers to this file. */
function lineInMessage(message: string, file: string): number | undefined {
  const start = `${shortName(file)}:`;
  const line = message.startsWith(start) ? /^(\d+):/.exec(message.slice(start.length))?.[1] : undefined;
  return line === undefined ? undefined : Number(line);
}

function frameText({ source, line }: StackFrame, sources: Sources, chunk: string): string {
  const code = (sources.get(source)?.split('\n')[line - 1] ?? '').trim().slice(0, maxLineLength);
  return `At line ${line} '${code}'${source === chunk ? '' : ` of ${source.slice(1)}`}`;
}

/** Collapses consecutive repetitions of a line. */
function stackLines(frames: readonly StackFrame[], sources: Sources, chunk: string): string[] {
  const known = frames.filter(({ source }) => sources.has(source)).map((frame) => frameText(frame, sources, chunk));
  const lines = known.filter((line, index) => line !== known[index - 1]);
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines), '…'];
}

const codes = { runtime: 'lua.error', syntax: 'lua.syntax', memory: 'lua.memory' } as const;

function isMemory({ kind, code }: RaisedError): boolean {
  return kind === 'memory' || code === codes.memory;
}

/** Where an error was raised. */
interface FailurePlace {
  /** The script's name in errors. */
  readonly file: string;
  readonly sources: Sources;
  /** The script's memory limit in bytes. */
  readonly memoryBytes: number;
}

/** Returns the error record for a raised error: `lua.error`, `lua.syntax` or `lua.memory`. */
export function recordRaised(raised: RaisedError, { file, sources, memoryBytes }: FailurePlace): ErrorRecord {
  const chunk = `@${file}`;
  const kind = isMemory(raised) ? 'memory' : raised.kind;
  const { code, message, details } = raised;
  const hasCause = code !== undefined && code !== 'internal' && code !== codes.memory;
  const own = raised.frames.find(({ source }) => source === chunk)?.line;
  const line = lineInMessage(message, file) ?? own;
  const limit = kind === 'memory' ? ` (a script may use ${Math.round(memoryBytes / 2 ** 20)} MiB)` : '';
  const frames = kind === 'syntax' && line !== undefined ? [{ source: chunk, line }] : raised.frames;
  return {
    code: codes[kind],
    message: ['Lua error:', message + limit, ...stackLines(frames, sources, chunk)].join('\n'),
    ...(line === undefined ? {} : { line }),
    ...(hasCause ? { details: { cause: { code, message, ...(details === undefined ? {} : { details }) } } } : {}),
  };
}

/**
 * Returns the error record for a result that is not JSON. Its details contain the position of the first invalid value.
 */
export function recordBadResult({ code, message, path, problem }: LuaValueError): ErrorRecord {
  return { code, message: `Lua error:\n${message}`, details: [{ path: [...path], message: problem }] };
}
