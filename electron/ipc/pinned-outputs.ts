/**
 * Outputs that a person has given in place of nodes: how large they may be, and their check. They may be far larger than anything
 * else that goes from process to process, so they are looked through once, without recursion.
 */
import { z } from 'zod';
import { findNonJson } from '../../engine/flowspec/checked-json.ts';
import type { JsonValue } from '../../engine/isomorphic.ts';

/** The longest pinned output as JSON text, in bytes. */
export const maxPinBytes = 16 * 1024 * 1024;
/** The longest that all of a flow may be together. */
export const maxPinsBytes = 64 * 1024 * 1024;
const mostPins = 1_000;

/** Any JSON value that our own engine gives, of any size. */
export const wholeJson = z.custom<JsonValue>((value) => findNonJson(value) === undefined, 'is no JSON');

const pinnedOutput = z.custom<JsonValue>(
  (value) => value !== undefined && findNonJson(value, maxPinBytes) === undefined,
  'is no JSON of at most 16 MiB',
);

/** By id of the node. */
export const pinnedOutputs = z
  .record(z.string().min(1).max(1000), pinnedOutput)
  .refine((pins) => Object.keys(pins).length <= mostPins, `holds more than ${mostPins} outputs`)
  .refine((pins) => findNonJson(pins, maxPinsBytes) === undefined, 'is longer than 64 MiB');
