/**
 * What a suspended run waits for.
 */
import type { FlowDoc, RunState, SuspensionRequest } from '../../../engine/isomorphic.ts';
import { baseNodeId } from '../flow/node-places.ts';

export interface WaitingNode {
  /** Its place in the run; in the body of a loop `<loop>[<item>].<id>`. */
  readonly nodeId: string;
  /** As on its card, with its item when it stands in a loop. */
  readonly name: string;
  readonly message: string;
}

/** The nodes that ask a person, in the order in which they began to. */
export function waitingNodes({ status, nodes }: RunState, doc: FlowDoc | null): readonly WaitingNode[] {
  // Most runs never wait, and a run has no end of nodes.
  if (status !== 'suspended') return [];
  const names = new Map(doc?.nodes.map(({ id, name }) => [id, name ?? id]));
  const waiting: WaitingNode[] = [];
  for (const { nodeId, status: nodeStatus, request } of nodes.values()) {
    if (nodeStatus === 'suspended') waiting.push({ nodeId, name: nameOf(nodeId, names), message: messageOf(request) });
  }
  return waiting;
}

function nameOf(nodeId: string, names: ReadonlyMap<string, string>): string {
  const id = baseNodeId(nodeId);
  const name = names.get(id) ?? id;
  return id === nodeId ? name : `${name} in ${nodeId.slice(0, -id.length - 1)}`;
}

function messageOf(request: SuspensionRequest | undefined): string {
  return request?.message ?? 'It waits for a person.';
}
