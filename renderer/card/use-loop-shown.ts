import { countAtWork, countDone } from '../stores/runs/loop-progress.ts';
import { shownNodeState } from '../stores/runs/shown-run.ts';
import { useNodePart, useNodeState } from '../stores/use-flow.ts';
import { useLoop } from '../stores/use-run.ts';
import type { CardContent } from './card-content.ts';
import { type CardState, cardState } from './card-state.ts';

/** Of a loop: how many of its items are done, and how many are under way, as parts of all. */
export interface LoopShare {
  readonly done: number;
  readonly atWork: number;
}

/** What a loop shows. `share` is null while nobody knows how many items there are. */
export function useLoopShown(
  path: string,
  content: CardContent,
): { readonly shown: CardState; readonly share: LoopShare | null } {
  const { nodeId, isTolerated, bodySize } = content;
  const node = useNodeState(path, nodeId);
  const state = useNodePart(path, nodeId, (run, place) => shownNodeState(run, run.state.nodes.get(place), isTolerated));
  const place = useNodePart(path, nodeId, (_, shownPlace) => shownPlace) ?? nodeId;
  const tally = useLoop(path, place);
  const progress = tally === undefined ? null : { done: countDone(tally, bodySize ?? 0), total: tally.total };
  const shown = cardState(content, state === undefined ? undefined : { shown: state, node, progress, taken: null });
  const total = progress?.total ?? 0;
  if (tally === undefined || progress === null || total === 0) return { shown, share: null };
  return { shown, share: { done: progress.done / total, atWork: countAtWork(tally) / total } };
}
