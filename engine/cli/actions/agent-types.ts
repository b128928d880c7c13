/**
 * Agents that are types of nodes, for commands that have no engine.
 */
import { readAgentType } from '../../host/agent-types.ts';
import { createPackService } from '../../host/pack-service.ts';
import { readSchemaFiles } from '../../host/schema-files.ts';
import type { SchemaFile } from '../../isomorphic.ts';
import { findAgent } from '../../pack/find-agent.ts';
import { baseFolderOf } from '../../pack/pack-folders.ts';
import { createTeamSource } from '../../team/find-team.ts';
import type { CliContext } from '../cli-context.ts';
import { readFlowSource } from '../flow-source.ts';

/** Reads agents as an engine of the workspace would, when the packs that come with the program are in their place. */
export async function agentTypeReader(
  context: CliContext,
  workspace: string,
): Promise<(type: string) => Promise<SchemaFile>> {
  const { env } = process;
  const { clock, builtInPacks } = context;
  const baseFolder = baseFolderOf(env);
  const folders = { workspace, baseFolder };
  const team = createTeamSource({ env, baseFolder });
  await createPackService({ ...folders, env, clock, builtInPacks, team }).whenReady();
  const source = {
    ...folders,
    findAgent: (name: string, from: string) => findAgent(name, { ...folders, from }),
    readAgentText: async ({ file }: { readonly file: string }) => (await readFlowSource(context, file)).text,
    readAgentSchemas: ({ file }: { readonly file: string }, names: readonly string[]) =>
      readSchemaFiles(names, { file, workspace, mayLieOutside: true }),
  };
  return (type) => readAgentType(type, source);
}
