/**
 * Defines expected failures: one class with stable codes. Any other thrown value is a bug.
 */

import { cutMessage, cutText } from './cut-text.ts';

/** Stages of an agent run; the possible values of `ErrorRecord.stage`. */
export type StageName = 'BeforeAll' | 'Data' | 'Ai' | 'Output' | 'AfterAll';

/** An error as plain data, for messages between processes, events and storage. */
export interface ErrorRecord {
  /** Stable code in the form `area.kebab-case`; `internal` for a bug. Compare this, never `message`. */
  readonly code: string;
  /** Error message, at most 2,000 characters. */
  readonly message: string;
  readonly nodeId?: string;
  readonly stage?: StageName;
  /** Line in the user's file, starting at 1. */
  readonly line?: number;
  /** Whether another attempt could succeed without any changes. */
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
  /** Stack of a bug in another process. */
  readonly stack?: string;
}

/** Maximum length of a stack in characters. */
const longestStack = 10_000;
const longestDetails = 64 * 1024;

const engineErrorMark = Symbol.for('millrace.EngineError');

/** A failure that a caller can expect and handle by its `code`. */
export class EngineError extends Error {
  readonly [engineErrorMark] = true;
  readonly code: string;
  readonly nodeId: string | undefined;
  readonly line: number | undefined;
  readonly recoverable: boolean;
  readonly stage: StageName | undefined;
  readonly details: unknown;
  /** Stack of the bug that this error reports; absent for expected failures. */
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

  /** Returns true for engine errors of any realm or bundle copy, for which `instanceof` would fail. */
  static is(value: unknown): value is EngineError {
    return typeof value === 'object' && value !== null && engineErrorMark in value;
  }
}

/**
 * Converts any thrown value to a record. Any value other than an `EngineError` gets the code `internal` and keeps its
 * stack.
 */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  try {
    if (EngineError.is(thrown)) return recordOf(thrown);
    if (!(thrown instanceof Error)) return { code: 'internal', message: textOf(thrown) };
    const stack = typeof thrown.stack === 'string' ? { stack: cutText(thrown.stack, longestStack) } : {};
    return { code: 'internal', message: textOf(thrown.message), ...stack };
  } catch {
    return { code: 'internal', message: 'An error that cannot be read was thrown' };
  }
}

function recordOf({ code, message, nodeId, stage, line, recoverable, details, bugStack }: EngineError): ErrorRecord {
  return {
    code,
    // An error of another copy of the class, or with a message changed later, may have a longer message.
    message: cutMessage(message),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(stage === undefined ? {} : { stage }),
    ...(line === undefined ? {} : { line }),
    ...(recoverable ? { recoverable } : {}),
    ...detailsOf(details),
    ...(bugStack === undefined ? {} : { stack: cutText(bugStack, longestStack) }),
  };
}

/** Returns only details that can be stored and are of reasonable size. */
function detailsOf(details: unknown): { readonly details?: unknown } {
  try {
    const text = JSON.stringify(details);
    return text === undefined || text.length > longestDetails ? {} : { details: JSON.parse(text) };
  } catch {
    return {};
  }
}

/** Converts a thrown value to text. Third-party code may throw anything, even a value that cannot be converted. */
function textOf(value: unknown): string {
  try {
    return cutMessage(String(value));
  } catch {
    return 'A value that cannot be converted to text was thrown';
  }
}

/**
 * Returns a record and its causes, outermost first. If the engine refuses a script's action, the script's error
 * contains the refusal in `details.cause`.
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

/** Converts a record to an error that can be thrown in this process. */
export function fromErrorRecord(record: ErrorRecord): EngineError {
  return new EngineError(record);
}

/**
 * Returns an `EngineError` for any thrown value. Its code is `internal` unless the value is an `EngineError` itself.
 */
export function asEngineError(thrown: unknown): EngineError {
  return EngineError.is(thrown) ? thrown : fromErrorRecord(toErrorRecord(thrown));
}
