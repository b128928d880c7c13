/**
 * Provides an engine's tools (built-in tools, tools with manifests, and MCP tools), and operations on them for hosts.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { productsFolder } from '../../language/flow/product-path.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import { supportFolders } from '../../packs/pack/pack-folders.ts';
import type { PackInfo } from '../../packs/pack/pack-locator.ts';
import type { AgentLocation, SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { ToolDescription, ToolsCapability } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { McpService } from '../../world/mcp/mcp-service.ts';
import type { FoundManifest, ManifestTools } from '../../world/tools/manifest-tools.ts';
import type { HeldText, ToolFolder } from '../../world/tools/read-manifests.ts';
import type { ToolSource } from '../../world/tools/tool-source.ts';
import type { FindToolProblems } from '../executor/flow-definitions.ts';
import type { SecretService } from '../governance/secret-service.ts';

export { unknownTool } from '../../world/tools/tool-source.ts';

interface ToolServiceOptions extends Omit<SharedCapabilities, 'agents' | 'pureAgents' | 'code' | 'tools'> {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly catalog: NodeTypeCatalog;
  /** Tools of MCP servers. */
  readonly mcp: McpService['tools'];
  readonly isTrusted: () => Promise<boolean>;
  /** Returns the manifest text to use; undefined for none. */
  readonly held: HeldText;
  /** Returns capabilities that are created after these tools. */
  readonly later: () => Pick<SharedCapabilities, 'agents' | 'code'>;
  readonly openSecrets: SecretService['open'];
  /** Throws for a pack that may not be used. */
  readonly admitPack: (place: AgentLocation) => Promise<void>;
}

/** A tool that cannot be used, with its known properties and the reason. */
export interface BrokenTool extends ToolDescription {
  /** `place` in a manifest, as `<file>:<line>`. */
  readonly problem: { readonly message: string; readonly place?: string };
}

export interface ToolService extends ToolsCapability {
  /** Returns all tools. */
  list(): Promise<readonly ToolDescription[]>;
  /** Returns the manifests and listed MCP tools that cannot be used. */
  listBroken(): Promise<readonly BrokenTool[]>;
  /** Returns the problems with tools that a flow references, without starting any server. */
  readonly findProblems: FindToolProblems;
}

interface Loaded {
  readonly tools: ToolsCapability;
  readonly source: ToolSource;
  readonly manifests: ManifestTools;
  readonly core: ToolSource;
}

/** Creates the service. Nothing is loaded before first use. */
export function createToolService(options: ToolServiceOptions): ToolService {
  let loading: Promise<Loaded> | undefined;
  let tools: ToolsCapability | undefined;
  const load = (): Promise<Loaded> => {
    loading ??= loadTools(options);
    return loading;
  };
  return {
    describe: async (names) => await (await load()).tools.describe(names),
    async call(call, scope) {
      tools ??= (await load()).tools;
      return await tools.call(call, scope);
    },
    list: async () => (await (await load()).source.list()).map(({ description }) => description),
    async listBroken() {
      const ofServers = (await options.mcp.listUnusable()).map(
        ({ name, server, problem }): BrokenTool => ({
          ...{ ...unreadable, name, kind: 'mcp', source: server, problem: { message: problem } },
        }),
      );
      return [...brokenIn(await (await load()).manifests.manifests()), ...ofServers];
    },
    async findProblems(flow) {
      // Nothing is loaded for flows without tools.
      if (!flow.text.includes('tool')) return [];
      const { findToolProblems } = await import('../../world/tools/tool-findings.ts');
      const { core, manifests } = await load();
      const { serverNames } = options.mcp;
      const { answers, catalog } = options;
      const known = { core: () => core.list(), manifests: (pack?: string) => manifests.manifests(pack) };
      return await findToolProblems(flow, { ...known, serverNames, answers, catalog });
    },
  };
}

async function loadTools(options: ToolServiceOptions): Promise<Loaded> {
  const { workspace, clock, files, web, commands, answers, governance, mcp, isTrusted, later, openSecrets, held } =
    options;
  const [{ createCoreTools }, { filesOfWorkspace }, { createToolExecutor }, { joinSources }, { ManifestTools: Tools }] =
    await Promise.all([
      import('../../world/tools/core-tools.ts'),
      import('../../world/tools/workspace-core-tools.ts'),
      import('../../world/tools/tool-executor.ts'),
      import('../../world/tools/tool-source.ts'),
      import('../../world/tools/manifest-tools.ts'),
    ]);
  const manifests = new Tools({
    ...{ held, web, commands, isTrusted, findMcp: mcp.find, listMcp: () => mcp.list(), serverNames: mcp.serverNames },
    get code() {
      return later().code;
    },
    get agents() {
      return later().agents;
    },
    folders: keptFolders(options),
    openSecrets: (names, { path, text, isUnseen }) =>
      openSecrets(names, { path, isUnseen, hash: () => createHash('sha256').update(text).digest('hex') }),
  });
  const core = createCoreTools({ files, web, ...filesOfWorkspace(workspace, clock) });
  const source = joinSources([core, manifests, mcp]);
  return { tools: createToolExecutor({ source, answers, governance }), source, manifests, core };
}

/**
 * Milliseconds after which pack locations are read again. Reading them for each call would take longer than many tools.
 */
const lookAgainMs = 1_000;

/** Caches the result of `foldersOf` for a short time. */
function keptFolders(options: ToolServiceOptions): (pack?: string) => Promise<readonly ToolFolder[]> {
  const { clock } = options;
  const kept = new Map<string, { readonly until: number; readonly folders: readonly ToolFolder[] }>();
  return async (pack) => {
    if (pack === undefined) return await foldersOf(pack, options);
    const known = kept.get(pack);
    if (known !== undefined && clock.now() < known.until) return known.folders;
    const folders = await foldersOf(pack, options);
    // Names may also come from models, which can invent any number of them.
    if (kept.size >= 1_000) kept.clear();
    kept.set(pack, { folders, until: clock.now() + lookAgainMs });
    return folders;
  };
}

/** Returns the folders to search for manifests; empty for a pack that may not be used. */
async function foldersOf(pack: string | undefined, options: ToolServiceOptions): Promise<readonly ToolFolder[]> {
  const { workspace } = options;
  const own = { folder: join(workspace, 'tools'), shown: 'tools', within: workspace };
  if (pack === '') return [own];
  const ofProducts = await foldersOfProducts(workspace, pack);
  const { listPacks } = await import('../../packs/pack/pack-locator.ts');
  const reading = { ...options, mayReadOutside: options.isTrusted };
  const packs = await listPacks(reading, pack === undefined ? '' : `@${pack}`).catch(() => []);
  const admitted = await Promise.all(packs.map((one) => folderOfPack(one, options)));
  const ofPacks = admitted.flatMap((one) => one ?? []);
  return pack === undefined ? [own, ...ofProducts, ...ofPacks] : [...ofProducts, ...ofPacks];
}

/** Returns the folders of products; empty for invalid products. @param name restricts the result to this product */
async function foldersOfProducts(workspace: string, name: string | undefined): Promise<readonly ToolFolder[]> {
  // Nothing is loaded for workspaces without products.
  if (!existsSync(join(workspace, productsFolder, name ?? ''))) return [];
  const { findProduct, findProducts } = await import('../../packs/product/find-products.ts');
  const found = name === undefined ? await findProducts(workspace) : [await findProduct(workspace, name)];
  return found.flatMap((product) =>
    product === undefined || product.refusal !== undefined
      ? []
      : [
          {
            ...{ folder: join(product.folder, 'tools'), shown: `${product.path}/tools` },
            ...{ within: workspace, product: product.name },
          },
        ],
  );
}

async function folderOfPack(pack: PackInfo, options: ToolServiceOptions): Promise<ToolFolder | undefined> {
  const { namespace, name, folder, ref, isShadowed, leadsOut } = pack;
  if (isShadowed || (leadsOut === true && !(await options.isTrusted()))) return undefined;
  const place = { namespace, name, folder, subPath: '', ...supportFolders(options, { namespace, name }) };
  const isAdmitted = await options.admitPack({ name: ref, file: folder, shownPath: ref, pack: place }).then(
    () => true,
    () => false,
  );
  const tools = join(folder, 'tools');
  const shown = tools.replaceAll('\\', '/');
  return isAdmitted ? { folder: tools, shown, within: folder, pack: { name, ref } } : undefined;
}

function brokenIn(manifests: readonly FoundManifest[]): readonly BrokenTool[] {
  return manifests.flatMap(({ name, path, diagnostics, tool }) => {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    if (tool !== undefined || first === undefined) return [];
    const { message, range } = first;
    return [{ ...unreadable, name, source: path, problem: { message, place: `${path}:${range.line}` } }];
  });
}

const unreadable = {
  description: '',
  inputSchema: {},
  effects: 'external',
  risk: 'high',
  requiresApproval: false,
  tags: { accessesPrivateData: false, receivesUntrustedInput: false, communicatesExternally: false },
  kind: 'js',
} as const;
