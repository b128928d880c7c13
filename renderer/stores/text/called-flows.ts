/**
 * The flows that flows call: from a name in a node to the tab of that flow, and how a flow names another one.
 */
import type { StoreApi } from 'zustand/vanilla';
import { callKeyOf } from '../../../engine/isomorphic.ts';
import type { Notices } from '../window/notices.ts';
import type { OpenFiles } from './files.ts';

interface CalledFlowServices {
  readonly openFiles: StoreApi<OpenFiles>;
  readonly notices: StoreApi<Notices>;
}

/**
 * Opens a flow that another one calls in a tab. One of a pack that is not there cannot be: a notice says why.
 * @param from path of the flow that calls it
 * @param name as that one names it
 */
export async function openCalledFlow(
  { openFiles, notices }: CalledFlowServices,
  from: string,
  name: string,
): Promise<void> {
  const known = openFiles.getState().files.get(from)?.schemas.get(callKeyOf(name));
  if (known !== undefined && 'flow' in known) return openFiles.getState().open(known.flow.path);
  // A flow of a pack lies where only the engine knows.
  if (isInPack(name)) {
    const detail = known !== undefined && 'problem' in known ? known.problem : `The flow "${name}" was not found.`;
    notices.getState().add({ tone: 'error', title: 'The called flow cannot be opened', detail });
    return;
  }
  await openFiles.getState().open(pathTo(from, name));
}

/** `namespace@pack/name.flow.yaml` */
function isInPack(name: string): boolean {
  return /^[^@/\s]+@[^@/\s]+\//.test(name);
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** How the flow at one path names that at another: relative to its folder. */
export function nameFrom(from: string, to: string): string {
  const folder = partsOf(from).slice(0, -1);
  const target = partsOf(to);
  let common = 0;
  while (common < folder.length && common < target.length - 1 && folder[common] === target[common]) common += 1;
  return [...folder.slice(common).map(() => '..'), ...target.slice(common)].join('/');
}

/** The path that a name means in the flow at `from`. */
export function pathTo(from: string, name: string): string {
  const parts = partsOf(from).slice(0, -1);
  for (const part of partsOf(name)) {
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
