/**
 * Determines whether errors in a file prevent a run.
 */
import type { StoreApi } from 'zustand/vanilla';
import { checkParsedFlow, hasErrors, isTypeProblem, parseFlow } from '../../../engine/isomorphic.ts';
import { nodeTypes } from '../flow/node-types.ts';
import type { OpenFile } from '../text/file.ts';
import type { TypedLines } from '../text/typed-lines.ts';
import type { PinStore } from './pins.ts';

/** A pinned output may have any shape, so a binding that its node could never satisfy is not an error. */
export function hasRunErrors(
  { pins, typedLines }: { readonly pins: StoreApi<PinStore>; readonly typedLines: Pick<TypedLines, 'all'> },
  file: OpenFile,
): boolean {
  const found = typedLines.all(file.path, file.diagnostics);
  if (!hasErrors(found)) return false;
  const pinned = new Set(Object.keys(file.kind === 'flow' ? pins.getState().forRun(file) : {}));
  if (pinned.size === 0) return true;
  const { diagnostics } = checkParsedFlow(parseFlow(file.text), nodeTypes, file.schemas, { pinned });
  return hasErrors([...found.filter((one) => !isTypeProblem(one)), ...diagnostics]);
}
