/**
 * Expected failures: one class with a stable code. Anything else that is thrown is a bug.
 */

import { cutMessage, cutText } from './cut-text.ts';

/** Parts of an agent file's run; the fixed values of `ErrorRecord.stage`. */
export type StageName = 'BeforeAll' | 'Data' | 'Ai' | 'Output' | 'AfterAll';

/** An error as plain data: what crosses process borders, enters events and is stored. */
export interface ErrorRecord {
  /** Stable, `area.kebab-case`; `internal` for a bug. Programs compare this, never `message`. */
  readonly code: string;
  /** At most 2,000 characters. */
  readonly message: string;
  readonly nodeId?: string;
  readonly stage?: StageName;
  /** Line in the user's file, from 1. */
  readonly line?: number;
  /** Whether another attempt could succeed without anybody changing anything. */
  readonly recoverable?: boolean;
  readonly details?: unknown;
  readonly stack?: string;
}

interface EngineErrorInit {
  readonly code: string;
  readonly message: string;
  readonly nodeId?: string;
  readonly line?: number;
  readonly recoverable?: boolean;
  readonly stage?: StageName;
  readonly details?: unknown;
  readonly cause?: unknown;
  /** Where a bug was thrown, on the other side of a border. */
  readonly stack?: string;
}

/** In characters. */
const longestStack = 10_000;
const longestDetails = 64 * 1024;

const engineErrorMark = Symbol.for('millrace.EngineError');

/** A failure that a caller may expect and handle by its `code`. */
export class EngineError extends Error {
  readonly [engineErrorMark] = true;
  readonly code: string;
  readonly nodeId: string | undefined;
  readonly line: number | undefined;
  readonly recoverable: boolean;
  readonly stage: StageName | undefined;
  readonly details: unknown;
  /** Stack of the bug that this error tells of; absent for expected failures. */
  readonly bugStack: string | undefined;

  constructor(init: EngineErrorInit) {
    super(cutMessage(init.message), { cause: init.cause });
    this.name = 'EngineError';
    this.code = init.code;
    this.nodeId = init.nodeId;
    this.line = init.line;
    this.recoverable = init.recoverable ?? false;
    this.stage = init.stage;
    this.details = init.details;
    this.bugStack = init.stack;
  }

  /** True for engine errors of any realm or bundle copy, which `instanceof` would miss. */
  static is(value: unknown): value is EngineError {
    return typeof value === 'object' && value !== null && engineErrorMark in value;
  }
}

/** Turns whatever was thrown into data. A thing that is no `EngineError` gets the code `internal` and keeps its stack. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  try {
    if (EngineError.is(thrown)) return recordOf(thrown);
    if (!(thrown instanceof Error)) return { code: 'internal', message: textOf(thrown) };
    const stack = typeof thrown.stack === 'string' ? { stack: cutText(thrown.stack, longestStack) } : {};
    return { code: 'internal', message: textOf(thrown.message), ...stack };
  } catch {
    return { code: 'internal', message: 'An error was thrown that cannot be read' };
  }
}

function recordOf({ code, message, nodeId, stage, line, recoverable, details, bugStack }: EngineError): ErrorRecord {
  return {
    code,
    // Those of other copies of the class, and those whose message was set later.
    message: cutMessage(message),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(stage === undefined ? {} : { stage }),
    ...(line === undefined ? {} : { line }),
    ...(recoverable ? { recoverable } : {}),
    ...detailsOf(details),
    ...(bugStack === undefined ? {} : { stack: cutText(bugStack, longestStack) }),
  };
}

/** Only what survives being stored, and does not make an error a heap of data. */
function detailsOf(details: unknown): { readonly details?: unknown } {
  try {
    const text = JSON.stringify(details);
    return text === undefined || text.length > longestDetails ? {} : { details: JSON.parse(text) };
  } catch {
    return {};
  }
}

/** Somebody else's code may throw anything, also what has no text form. */
function textOf(value: unknown): string {
  try {
    return cutMessage(String(value));
  } catch {
    return 'Something without a text form was thrown';
  }
}

/**
 * A record and what made it fail, from the outside in. A script fails as a script does, whatever the engine refused it; the
 * refusal is then `details.cause`.
 */
export function causesOf(record: ErrorRecord): readonly ErrorRecord[] {
  const causes: ErrorRecord[] = [];
  for (let error: unknown = record; isErrorRecord(error); error = fieldOf(error.details, 'cause')) causes.push(error);
  return causes;
}

function isErrorRecord(value: unknown): value is ErrorRecord {
  return typeof fieldOf(value, 'code') === 'string' && typeof fieldOf(value, 'message') === 'string';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The error that a record describes, to be thrown again on this side of a border. */
export function fromErrorRecord(record: ErrorRecord): EngineError {
  return new EngineError(record);
}

/** What was thrown as an `EngineError`: itself when it is one, else one with the code `internal`. */
export function asEngineError(thrown: unknown): EngineError {
  return EngineError.is(thrown) ? thrown : fromErrorRecord(toErrorRecord(thrown));
}
