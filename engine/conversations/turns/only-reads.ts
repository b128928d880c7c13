/**
 * Determines which flows may run on top of the Active one: those whose policy has no effects.
 */
import type { FlowType } from '../catalog/catalogue.ts';
import { pathIn } from './policy-spec.ts';
import type { TurnContext } from './turn-context.ts';

/** Returns whether a flow's policy only reads. False for an agent, which can have any effect. */
export async function onlyReads(turn: TurnContext, { policy, tools }: FlowType): Promise<boolean> {
  const { journal, world, held } = turn;
  if ('builtin' in policy) return policy.builtin === 'chat';
  if ('agent' in policy) return false;
  return await journal.step('only-reads', async () => {
    if ('skill' in policy) {
      for (const tool of tools) if (!(await world.runs.isReadingTool(tool))) return false;
      return true;
    }
    try {
      return await world.runs.onlyReads(await world.readText(pathIn(held.path, policy.flow)));
    } catch {
      // If the file cannot be read, the flow fails with an explanation when it runs.
      return false;
    }
  });
}
