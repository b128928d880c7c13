/**
 * Decides which agents the nodes of a flow may run. As with scripts, the file may come from anyone.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { AgentCaller, AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';
import { createScriptAccess } from '../../world/script/script-access.ts';
import type { ScriptHostOptions } from '../../world/script/script-host-options.ts';
import { isWithin } from '../../world/script/script-paths.ts';

/**
 * Admits agents of packs, and files in the workspace. Links are a matter of trust, as for scripts.
 * @returns the agent's real path
 * @throws EngineError `files.outside` for a path outside the workspace, trusted or not | `effect.denied`
 */
export async function admitAgentOfNode(
  place: AgentLocation,
  { signal, isDry, hub: { products, isUnseen } }: AgentCaller,
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
  // A refusal fails the node and is emitted with the failure.
  const access = createScriptAccess(world, { place, isDry, hub: { emit: () => undefined, products, isUnseen } });
  return (await access.read({ path: file }, signal)).real;
}
