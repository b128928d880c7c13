/**
 * Resolves flows called by flows: opens the flow for the name in a node, and returns the name of a flow for another
 * one.
 */
import type { StoreApi } from 'zustand/vanilla';
import { callKeyOf } from '../../../engine/isomorphic.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { OpenFiles } from './files.ts';
import { text } from './text.ts';

interface CalledFlowServices {
  readonly openFiles: StoreApi<OpenFiles>;
  readonly notices: StoreApi<WindowNotices>;
}

/**
 * Opens a called flow in a tab. If its pack is missing, a notice explains why it cannot be opened.
 * @param from path of the calling flow
 * @param name name used in the calling flow
 */
export async function openCalledFlow(
  { openFiles, notices }: CalledFlowServices,
  from: string,
  name: string,
): Promise<void> {
  const known = openFiles.getState().files.get(from)?.schemas.get(callKeyOf(name));
  if (known !== undefined && 'flow' in known) return openFiles.getState().open(known.flow.path);
  // Only the engine knows the path of a flow in a pack.
  if (isInPack(name)) {
    const detail = known !== undefined && 'problem' in known ? known.problem : text.calledFlow.notFound({ name });
    notices.getState().add({ tone: 'error', title: text.calledFlow.openFailed, detail });
    return;
  }
  await openFiles.getState().open(pathTo(from, name));
}

/** Matches `namespace@pack/name.flow.yaml`. */
function isInPack(name: string): boolean {
  return /^[^@/\s]+@[^@/\s]+\//.test(name);
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** Returns the name of a flow for use in another one: its path relative to that flow's folder. */
export function nameFrom(from: string, to: string): string {
  const folder = partsOf(from).slice(0, -1);
  const target = partsOf(to);
  let common = 0;
  while (common < folder.length && common < target.length - 1 && folder[common] === target[common]) common += 1;
  return [...folder.slice(common).map(() => '..'), ...target.slice(common)].join('/');
}

/** Returns the path for a name used in the flow at `from`. */
export function pathTo(from: string, name: string): string {
  const parts = partsOf(from).slice(0, -1);
  for (const part of partsOf(name)) {
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
