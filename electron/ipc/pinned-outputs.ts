/**
 * Defines size limits and validation for the outputs that a user has pinned to nodes. Outputs may be far larger than
 * other messages between processes, so they are checked in one pass without recursion.
 */
import { z } from 'zod';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { findNonJson } from '../../engine/language/json/checked-json.ts';

/** Maximum size of a pinned output as JSON text, in bytes. */
export const maxPinBytes = 16 * 1024 * 1024;
/** Maximum total size of a flow's pinned outputs, in bytes. */
export const maxPinsBytes = 64 * 1024 * 1024;
const mostPins = 1_000;

/** Any JSON value from our own engine, of any size. */
export const wholeJson = z.custom<JsonValue>((value) => findNonJson(value) === undefined, 'is not JSON');

const pinnedOutput = z.custom<JsonValue>(
  (value) => value !== undefined && findNonJson(value, maxPinBytes) === undefined,
  'is not JSON or is larger than 16 MiB',
);

/** Pinned outputs by node id. */
export const pinnedOutputs = z
  .record(z.string().min(1).max(1000), pinnedOutput)
  .refine((pins) => Object.keys(pins).length <= mostPins, `contains more than ${mostPins} outputs`)
  .refine((pins) => findNonJson(pins, maxPinsBytes) === undefined, 'is larger than 64 MiB');
