/**
 * What a script's failure is to the engine: a code, a message with the lines of the file, and the line.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { ErrorText } from './error-values.ts';
import type { LuaCore } from './lua-core.ts';
import type { LuaValueError } from './values.ts';
import type { LuaState } from './wasm-exports.ts';

export interface StackFrame {
  /** The chunk's name with its `@`. */
  readonly source: string;
  readonly line: number;
}

/** Byte offsets in `lua_Debug` of Lua 5.4 on 32 bits. */
const offsets = { source: 16, sourceLength: 20, currentLine: 24 } as const;
const recordSize = 128;
/** Deeper stacks are recursions, of which one round is enough. */
const maxFrames = 200;

/** Frames of Lua code, the innermost first. */
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

/** What is known of a failure inside the machine. */
export interface RaisedError extends ErrorText {
  readonly kind: 'runtime' | 'syntax' | 'memory';
  readonly frames: readonly StackFrame[];
}

/** The Lua text of a chunk, by the chunk's name with its `@`. */
type Sources = ReadonlyMap<string, string>;

/** More lines than this say nothing new. */
const maxLines = 12;
const maxLineLength = 200;
/** Longest name that Lua puts before a message; of longer ones it keeps the end, after three dots. */
const shortNameLength = 59;

function shortName(file: string): string {
  return file.length <= shortNameLength ? file : `...${file.slice(3 - shortNameLength)}`;
}

/** The line that the message itself begins with, when it is one of this file. */
function lineInMessage(message: string, file: string): number | undefined {
  const start = `${shortName(file)}:`;
  const line = message.startsWith(start) ? /^(\d+):/.exec(message.slice(start.length))?.[1] : undefined;
  return line === undefined ? undefined : Number(line);
}

function frameText({ source, line }: StackFrame, sources: Sources, chunk: string): string {
  const code = (sources.get(source)?.split('\n')[line - 1] ?? '').trim().slice(0, maxLineLength);
  return `At line ${line} '${code}'${source === chunk ? '' : ` of ${source.slice(1)}`}`;
}

/** Each line once for as often as it follows itself. */
function stackLines(frames: readonly StackFrame[], sources: Sources, chunk: string): string[] {
  const known = frames.filter(({ source }) => sources.has(source)).map((frame) => frameText(frame, sources, chunk));
  const lines = known.filter((line, index) => line !== known[index - 1]);
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines), '…'];
}

const codes = { runtime: 'lua.error', syntax: 'lua.syntax', memory: 'lua.memory' } as const;

function isMemory({ kind, code }: RaisedError): boolean {
  return kind === 'memory' || code === codes.memory;
}

/** Where something was raised. */
interface FailurePlace {
  /** As errors name the script. */
  readonly file: string;
  readonly sources: Sources;
  /** What the script may use. */
  readonly memoryBytes: number;
}

/** The record of what a script raised: `lua.error`, `lua.syntax` or `lua.memory`. */
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

/** The record of a result that is no JSON; its details say where the first culprit stands. */
export function recordBadResult({ code, message, path, problem }: LuaValueError): ErrorRecord {
  return { code, message: `Lua error:\n${message}`, details: [{ path: [...path], message: problem }] };
}
