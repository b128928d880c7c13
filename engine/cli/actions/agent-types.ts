/**
 * Finds agents that are node types, for commands that run without an engine.
 */
import { AgentTypeList, type AgentTypeSource, readAgentType } from '../../host/agents/agent-types.ts';
import { readSchemaFiles } from '../../host/workspace/schema-files.ts';
import type { NodeTypeData, SchemaFile } from '../../isomorphic.ts';
import { findAgent } from '../../packs/pack/find-agent.ts';
import { baseFolderOf } from '../../packs/pack/pack-folders.ts';
import { createPackService } from '../../packs/pack-service.ts';
import { createTeamSource } from '../../packs/team/find-team.ts';
import type { CliContext } from '../cli-context.ts';
import { readFlowSource } from '../flow-source.ts';

/** Returns a reader that finds agents like the workspace's engine, with the bundled packs installed. */
export async function agentTypeReader(
  context: CliContext,
  workspace: string,
): Promise<(type: string) => Promise<SchemaFile>> {
  const source = await sourceOf(context, workspace);
  return (type) => readAgentType(type, source);
}

/** Returns all workspace and pack agents that are node types. Invalid agents are omitted. */
export async function listAgentTypes(context: CliContext, workspace: string): Promise<readonly NodeTypeData[]> {
  const types = await new AgentTypeList(await sourceOf(context, workspace)).list([]);
  return types.flatMap((type) => ('problem' in type ? [] : [type]));
}

async function sourceOf(context: CliContext, workspace: string): Promise<AgentTypeSource> {
  const { env } = process;
  const { clock, builtInPacks } = context;
  const baseFolder = baseFolderOf(env);
  const folders = { workspace, baseFolder };
  const team = createTeamSource({ env, baseFolder });
  await createPackService({ ...folders, env, clock, builtInPacks, team }).whenReady();
  return {
    ...folders,
    findAgent: (name, from) => findAgent(name, { ...folders, from }),
    readAgentText: async ({ file }) => (await readFlowSource(context, file)).text,
    readAgentSchemas: ({ file }, names) => readSchemaFiles(names, { file, workspace, mayLieOutside: true }),
  };
}
