/**
 * Decides which agents a flow's nodes may run. As with scripts, the file may come from anyone.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { AgentCaller, AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';
import { createScriptAccess } from '../../world/script/script-access.ts';
import type { ScriptHostOptions } from '../../world/script/script-host-options.ts';
import { isWithin } from '../../world/script/script-paths.ts';

/**
 * Admits pack agents and files in the workspace. As for scripts, symbolic links require trust.
 * @returns the agent's path with symbolic links resolved
 * @throws EngineError `files.outside` for a path outside the workspace, trusted or not | `effect.denied`
 */
export async function admitAgentOfNode(
  place: AgentLocation,
  { signal, isDry, hub: { products, isUnseen, rootRunId } }: AgentCaller,
  world: ScriptHostOptions,
): Promise<string> {
  const { file, pack, name } = place;
  const isInside = isWithin(world.workspace, file) || isWithin(world.baseFolder, file);
  if (pack === undefined && !isInside) {
    throw new EngineError({
      code: 'files.outside',
      message: `The agent "${name}" is outside the workspace. Choose a file in the workspace folder or an agent of a pack.`,
    });
  }
  // A refusal makes the node fail and is emitted with the failure.
  const hub = { emit: () => undefined, products, isUnseen, rootRunId };
  const access = createScriptAccess(world, { place, isDry, hub });
  return (await access.read({ path: file }, signal)).real;
}
