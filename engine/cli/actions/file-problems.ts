/**
 * Finds the problems of a flow or agent file.
 */
import {
  type CheckedFlow,
  checkFlow,
  checkParsedFlow,
  type Diagnostic,
  isCataloguePath,
  MAX_FLOW_TEXT_LENGTH,
  parseAgent,
  type SchemaFile,
  schemaFilesOf,
  scriptsOf,
} from '../../isomorphic.ts';
import { baseFolderOf } from '../../packs/pack/pack-folders.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { type CliFlowSource, sourcePathOf } from '../flow-source.ts';

/** The context in which flows and agents are checked. */
export interface CheckPlace {
  readonly context: CliContext;
  /** Absolute path. */
  readonly workspace: string;
}

/** Checks a flow together with the schema files it names and the agents it uses as node types. */
export async function checkFlowSource(
  { file, text }: CliFlowSource,
  { context, workspace }: CheckPlace,
): Promise<CheckedFlow> {
  const checked = checkFlow(text, builtinRegistry);
  const { doc } = checked.parsed;
  const names = doc === null ? [] : schemaFilesOf(doc, builtinRegistry);
  if (names.length === 0) return checked;
  const { readNamedFiles } = await import('../../host/workspace/called-flows.ts');
  const readAgentType = async (type: string): Promise<SchemaFile> => {
    const { agentTypeReader } = await import('./agent-types.ts');
    return await (await agentTypeReader(context, workspace))(type);
  };
  const place = { baseFolder: baseFolderOf(process.env), catalog: builtinRegistry, readAgentType };
  const schemas = await readNamedFiles(names, { file, workspace, mayLieOutside: true, ...place });
  return checkParsedFlow(checked.parsed, builtinRegistry, schemas);
}

/** Returns the problems of an agent file in file order. @throws EngineError `cli.usage` if it is too large */
export function agentProblemsOf({ shown, text }: CliFlowSource): readonly Diagnostic[] {
  if (text.length <= MAX_FLOW_TEXT_LENGTH) return parseAgent(text).diagnostics;
  throw usageError(`${shown} is too large for an agent file.`);
}

/**
 * Returns all problems of a flow, agent or conversation catalog. Loads Lua, JavaScript and templates to find problems
 * in them, too.
 * @throws EngineError `cli.usage` for an agent file that is too large
 */
export async function allProblemsOf(source: CliFlowSource, place: CheckPlace): Promise<readonly Diagnostic[]> {
  const manifest = /(?:^|\/)products\/([^/]+)\/manifest\.yaml$/.exec(placeOf(source, place));
  if (manifest?.[1] !== undefined) return await productProblems(manifest[1], place);
  if (/^(?:products\/[^/]+\/)?triggers\.yaml$/.test(placeOf(source, place)))
    return await triggerProblems(source, place);
  if (isCataloguePath(source.file)) {
    const { parseCatalogue } = await import('../../conversations/catalog/parse-catalogue.ts');
    return parseCatalogue(source.text).diagnostics;
  }
  if (!source.file.endsWith('.aip')) return await flowProblems(source, place);
  agentProblemsOf(source);
  const { checkAgentFile } = await import('../../host/agents/check-agent-file.ts');
  return await checkAgentFile(source.text, { file: source.file, workspace: place.workspace, mayLieOutside: true });
}

/** Returns the path relative to the workspace, with `/`. */
function placeOf({ file }: CliFlowSource, { workspace }: CheckPlace): string {
  return sourcePathOf(workspace, file);
}

/** Returns a product's problems, found through its manifest. */
async function productProblems(name: string, { workspace }: CheckPlace): Promise<readonly Diagnostic[]> {
  const { findProduct } = await import('../../packs/product/find-products.ts');
  return (await findProduct(workspace, name))?.problems ?? [];
}

/** Returns the problems of a `triggers.yaml`. */
async function triggerProblems(source: CliFlowSource, place: CheckPlace): Promise<readonly Diagnostic[]> {
  const [{ readTriggerFiles }, { findProducts }, { openWorkspaceFlows }] = await Promise.all([
    import('../../host/triggers/trigger-files.ts'),
    import('../../packs/product/find-products.ts'),
    import('../../workspace-flows.ts'),
  ]);
  const files = await readTriggerFiles({
    ...openWorkspaceFlows(place.workspace),
    listProducts: () => findProducts(place.workspace),
    readFile: async (path) => (path === placeOf(source, place) ? source.text : undefined),
  });
  return files.flatMap(({ diagnostics }) => diagnostics);
}

async function flowProblems(source: CliFlowSource, place: CheckPlace): Promise<readonly Diagnostic[]> {
  const { parsed, diagnostics } = await checkFlowSource(source, place);
  const { doc } = parsed;
  if (doc === null) return diagnostics;
  const { workspace } = place;
  const flow = { doc, text: source.text, path: placeOf(source, place) };
  const [{ findProductProblems }, { checkFlowScripts }, { checkStepAgents }, { findRiskyTools }] = await Promise.all([
    import('../../packs/product/product-findings.ts'),
    import('../../world/script/check-flow-scripts.ts'),
    import('../../host/agents/pure-agent-service.ts'),
    import('../../packs/product/tool-risks.ts'),
  ]);
  const found = await Promise.all([
    findProductProblems(flow, workspace),
    checkStepAgents(flow, workspace),
    findRiskyTools(parsed, { workspace, path: flow.path }),
    scriptsOf(doc, builtinRegistry).length === 0 ? [] : checkFlowScripts(flow, builtinRegistry),
  ]);
  return [diagnostics, ...found].flat().sort((left, right) => left.range.line - right.range.line);
}
