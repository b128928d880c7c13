/**
 * Errors for values that exceed the maximum size in a run.
 */
import { EngineError } from '../../base/engine-error.ts';

/** @param subject start of the sentence: `The output of node "a"` */
export function outputTooLarge(subject: string, maxOutputBytes: number): EngineError {
  return new EngineError({
    code: 'node.output-too-large',
    message: `${subject} is larger than ${inWords(maxOutputBytes)}. Output less, write it to a file, or increase flow.policy.maxOutputBytes.`,
    details: { maxOutputBytes },
  });
}

/** @param subject start of the sentence */
export function inputTooLarge(subject: string, maxBytes: number): EngineError {
  return new EngineError({
    code: 'node.input-too-large',
    message: `${subject} is larger than ${inWords(maxBytes)}. Bind less data from other nodes.`,
    details: { maxBytes },
  });
}

function inWords(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes.toLocaleString('en')} bytes`;
}
