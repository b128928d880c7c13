/**
 * Moves the selected nodes in the file, without a canvas.
 */

import type { MadeChange } from '../../outline/outline-changes.ts';
import { bodyMove, loopOf, loopsToJoin, orderMove, outsideOf } from '../../outline/outline-moves.ts';
import type { CommandContext } from './command.ts';
import { type FlowInFront, flowInFront } from './flow-parts.ts';

async function make({ stores }: CommandContext, { path, nodeId }: FlowInFront, made: MadeChange): Promise<void> {
  if (await stores.edits.change(path, made.change)) {
    stores.selection.getState().choose(path, { nodes: made.ids }, nodeId);
  }
}

/** Past the neighbours in the outline. */
export function moveInFile(context: CommandContext, step: 'up' | 'down'): void {
  const flow = flowInFront(context);
  const made = flow === undefined ? null : orderMove(flow, flow.nodeIds, step);
  if (flow !== undefined && made !== null) void make(context, flow, made);
}

export function hasLoopToJoin(context: CommandContext): boolean {
  const flow = flowInFront(context);
  return flow !== undefined && flow.nodeIds.size > 0 && loopsToJoin(flow, flow.nodeIds).length > 0;
}

export function standsInLoop(context: CommandContext): boolean {
  const flow = flowInFront(context);
  return flow !== undefined && flow.nodeIds.size > 0 && typeof loopOf(flow, flow.nodeIds) === 'string';
}

/** To the outside of the loop around them; what is in the way is told. */
export function takeOutOfLoop(context: CommandContext): void {
  const flow = flowInFront(context);
  if (flow === undefined) return;
  const made = bodyMove(flow, flow.nodeIds, outsideOf(flow, flow.nodeIds));
  if (typeof made !== 'string') void make(context, flow, made);
  else context.stores.notices.getState().add({ tone: 'info', title: 'Nothing was moved', detail: made });
}
