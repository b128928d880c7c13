/**
 * Tools with manifests: `tools/*.tool.yaml` in a workspace and in packs.
 */
import { basename } from 'node:path';
import type { Diagnostic, DiagnosticCode } from '../../language/findings/diagnostic.ts';
import { hasErrors } from '../../language/findings/diagnostic.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { type ToolDescription, toolNameProblem } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { findServerTool, type ManifestWorld, runManifest } from './manifest-runs.ts';
import type { ToolManifest } from './manifest-schema.ts';
import { restrictUntrustedTool, standingFor, standingForUnknown } from './narrowed-tools.ts';
import type { ParsedManifest } from './parse-manifest.ts';
import { type HeldText, type ManifestFile, ManifestReader, manifestEnding, type ToolFolder } from './read-manifests.ts';
import type { RunnableTool, ToolContext, ToolSource } from './tool-source.ts';

/** A manifest, whether valid or not. */
export interface FoundManifest {
  /** The tool's name; for a manifest without a name, derived from its file. */
  readonly name: string;
  /** Path for display. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if an error prevents the manifest from being used. */
  readonly tool?: RunnableTool;
}

interface ManifestToolsOptions extends ManifestWorld {
  /** Returns the workspace and pack folders in search order. @param pack only this pack's folders */
  readonly folders: (pack?: string) => Promise<readonly ToolFolder[]>;
  /** Returns the MCP tools known without starting a server. */
  readonly listMcp: () => Promise<readonly RunnableTool[]>;
  /** See `ManifestReader`. */
  readonly held: HeldText;
  /** Whether the workspace is trusted. */
  readonly isTrusted: () => Promise<boolean>;
  /** MCP server names, which no pack may use. */
  readonly serverNames: () => Promise<readonly string[]>;
  /** Opens a manifest's secrets. @throws EngineError `secret.*` */
  readonly openSecrets: (names: readonly string[], manifest: ManifestSecretUser) => Promise<RunSecrets>;
}

interface ManifestSecretUser {
  readonly path: string;
  readonly text: string;
  /** The call's `Hub.isUnseen`. */
  readonly isUnseen: boolean | undefined;
}

/** Reads manifests on demand; unchanged ones are not read again. */
export class ManifestTools implements ToolSource {
  readonly #options: ManifestToolsOptions;
  readonly #reader: ManifestReader;
  /** The MCP tool that each tool calls. */
  readonly #servers = new WeakMap<RunnableTool, NonNullable<ToolManifest['run']['mcp']>>();

  constructor(options: ManifestToolsOptions) {
    this.#options = options;
    this.#reader = new ManifestReader(options.held);
  }

  async list(group?: string): Promise<readonly RunnableTool[]> {
    const tools = (await this.manifests(group)).flatMap(({ tool }) => tool ?? []);
    const known = async (tool: RunnableTool): Promise<RunnableTool> => {
      if (group !== undefined) return await this.#whole(tool);
      const { server, tool: name } = this.#servers.get(tool) ?? {};
      if (server === undefined) return tool;
      const listed = await this.#options.listMcp();
      const inner = listed.find(({ description }) => description.name === `${server}.${name}`);
      return inner === undefined ? standingForUnknown(tool) : standingFor(tool, inner);
    };
    return await Promise.all(tools.map(known));
  }

  /** Returns a tool combined with the tool that it calls. @throws EngineError `tool.unknown` | `mcp.*` */
  async #whole(tool: RunnableTool): Promise<RunnableTool> {
    const server = this.#servers.get(tool);
    return server === undefined ? tool : standingFor(tool, await findServerTool(server, this.#options));
  }

  async find(name: string): Promise<RunnableTool | undefined> {
    const [pack, ...rest] = name.split('.');
    const found = await this.manifests(rest.length === 0 ? '' : pack);
    const tool = found.find((one) => one.name === name && one.tool !== undefined)?.tool;
    return tool === undefined ? undefined : await this.#whole(tool);
  }

  /** @param pack only this pack's tools; `''` for only the workspace's */
  async manifests(pack?: string): Promise<readonly FoundManifest[]> {
    const { folders: foldersOf, isTrusted, serverNames } = this.#options;
    const folders = await foldersOf(pack);
    const hasPacks = folders.some((one) => one.pack !== undefined);
    const hasOwners = hasPacks || folders.some((one) => one.product !== undefined);
    const world = { isTrusted: hasPacks && (await isTrusted()), servers: hasOwners ? await serverNames() : [] };
    const first = new Map<string, FoundManifest>();
    const found: FoundManifest[] = [];
    for (const folder of folders) {
      for (const file of await this.#reader.filesIn(folder)) {
        const one = this.#found(folder, file, world);
        const other = first.get(one.name);
        if (other === undefined) first.set(one.name, one);
        found.push(other === undefined ? one : withProblem(one, duplicate(one.name, other, file)));
      }
    }
    return found;
  }

  #found(place: ToolFolder, { file, text, parsed }: ManifestFile, world: ManifestContext): FoundManifest {
    const { manifest } = parsed;
    const { pack, product } = place;
    const own = manifest?.tool_id ?? basename(file, manifestEnding);
    const owner = product ?? pack?.name;
    const name = owner === undefined ? own : `${owner}.${own}`;
    const path = `${place.shown}/${file}`;
    const ofOwner = ownerProblem(place, name, { parsed, world });
    const diagnostics = ofOwner === undefined ? parsed.diagnostics : [...parsed.diagnostics, ofOwner];
    if (manifest === null || hasErrors(diagnostics)) return { name, path, diagnostics };
    const whole = { name, path, folder: place.folder, text, manifest, parsed };
    const said = this.#toolOf(whole, product);
    const { description } = said;
    const tool =
      pack === undefined
        ? said
        : { ...said, description: restrictUntrustedTool({ ...description, pack: pack.ref }, world.isTrusted) };
    if (manifest.run.mcp !== undefined) this.#servers.set(tool, manifest.run.mcp);
    return { name, path, diagnostics, tool };
  }

  #toolOf(whole: WholeManifest, product: string | undefined): RunnableTool {
    const { manifest } = whole;
    const { timeout_ms, max_retries, rate_limit_rpm, cache_ttl_ms, run } = manifest;
    return {
      description: { ...descriptionOf(whole), ...ofProduct(product, manifest) },
      limits: {
        ...(timeout_ms === null || !hasLimit(manifest) ? {} : { timeoutMs: timeout_ms }),
        ...(max_retries === null ? {} : { maxRetries: max_retries }),
        ...(rate_limit_rpm === null ? {} : { callsPerMinute: rate_limit_rpm }),
        ...(cache_ttl_ms === null ? {} : { cacheMs: cache_ttl_ms }),
      },
      // JavaScript cannot access anything outside itself.
      ...(run.js === undefined ? {} : { onlyReads: true }),
      run: async (params, context) => await this.#run(whole, params, context),
    };
  }

  async #run(whole: WholeManifest, params: ToolParams, context: ToolContext): Promise<JsonValue> {
    const { name, path, folder, text, manifest, parsed } = whole;
    const { secretNames, codePlace } = parsed;
    const secrets =
      secretNames.length === 0
        ? undefined
        : await this.#options.openSecrets(secretNames, { path, text, isUnseen: context.hub.isUnseen });
    const wantsJson = manifest.output_schema !== undefined && manifest.output_schema['type'] !== 'string';
    const place = { name, path, folder, codePlace, secrets, wantsJson };
    try {
      const value = await runManifest(manifest.run, { params, context, place, world: this.#options });
      return secrets === undefined ? value : secrets.mask(value);
    } catch (thrown) {
      throw secrets === undefined ? thrown : masked(thrown, secrets);
    }
  }
}

type ToolParams = Parameters<RunnableTool['run']>[0];

interface WholeManifest {
  readonly name: string;
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly manifest: ToolManifest;
  readonly parsed: ParsedManifest;
}

/** Tools that may wait for people or models have no default timeout. */
function hasLimit({ run, timeout_ms }: ToolManifest): boolean {
  return (run.agent === undefined && run.flow === undefined) || timeout_ms !== 60_000;
}

function descriptionOf({ name, path, folder, manifest }: WholeManifest): ToolDescription {
  const [kind = 'http'] = Object.keys(manifest.run);
  const called = manifest.run.flow ?? manifest.run.agent;
  return {
    name,
    ...(manifest.name === undefined ? {} : { title: manifest.name }),
    description: manifest.description,
    inputSchema: manifest.input_schema,
    ...(manifest.output_schema === undefined ? {} : { outputSchema: manifest.output_schema }),
    effects: manifest.idempotent ? 'idempotent' : 'external',
    risk: manifest.risk,
    requiresApproval: manifest.requires_approval,
    tags: {
      accessesPrivateData: manifest.accesses_private_data,
      receivesUntrustedInput: manifest.receives_untrusted_input,
      communicatesExternally: manifest.communicates_externally,
    },
    // The schema accepts no other keys.
    kind: kind as ToolDescription['kind'],
    source: path,
    ...(called === undefined ? {} : { runs: { name: called, folder } }),
  };
}

function masked(thrown: unknown, secrets: RunSecrets): unknown {
  if (thrown instanceof Error) thrown.message = secrets.mask(thrown.message);
  return thrown;
}

/** Information about the packs that contain manifests. */
interface ManifestContext {
  readonly isTrusted: boolean;
  readonly servers: readonly string[];
}

interface Owned {
  readonly parsed: ParsedManifest;
  readonly world: ManifestContext;
}

/** Returns additional fields for a product's tool. */
function ofProduct(product: string | undefined, { shared }: ToolManifest): Pick<ToolDescription, 'product' | 'shared'> {
  if (product === undefined) return {};
  return shared ? { product, shared } : { product };
}

/** Returns why a pack or product must not have a tool: because of its name, its secrets, or what it runs. */
function ownerProblem({ pack, product }: ToolFolder, name: string, found: Owned): Diagnostic | undefined {
  const owner = product ?? pack?.name;
  if (owner === undefined) return undefined;
  const { parsed, world } = found;
  const { places, secretNames, manifest } = parsed;
  const problem = (code: DiagnosticCode, message: string, range: Diagnostic['range']): Diagnostic => ({
    ...{ code, severity: 'error', message, range },
  });
  const badName = toolNameProblem(name);
  if (badName !== undefined) return problem('tool.bad-value', badName, places.toolId);
  if (owner === 'core' || world.servers.includes(owner)) {
    const what = product === undefined ? 'pack' : 'product';
    const reserved = owner === 'core' ? 'built-in tools' : `tools of the MCP server ${owner}`;
    const message = `A ${what} named ${owner} cannot have tools, because the names of ${reserved} begin with ${owner}. Rename the ${what}${owner === 'core' ? '' : ', or the server'}.`;
    return problem('tool.duplicate', message, places.toolId);
  }
  if (product !== undefined)
    return manifest?.run.flow === undefined ? undefined : problem('tool.bad-value', noFlowOfProduct, places.run);
  return secretNames.length === 0 ? undefined : problem('secret.misplaced', secretsOfPack, places.secret);
}

const noFlowOfProduct =
  'A tool of a product cannot run a flow, because flows of products cannot call other flows. Have it run an agent, a script or a command, or let the program that uses the product start that flow.';

const secretsOfPack =
  'A tool of a pack cannot use secrets. If you have reviewed the tool and trust it, copy its manifest to the tools folder of the workspace.';

function duplicate(name: string, other: FoundManifest, { parsed }: ManifestFile): Diagnostic {
  const message = `The tool "${name}" already exists in ${other.path}. Change the tool_id of one of them.`;
  return { code: 'tool.duplicate', severity: 'error', message, range: parsed.places.toolId };
}

function withProblem({ name, path, diagnostics }: FoundManifest, problem: Diagnostic): FoundManifest {
  return { name, path, diagnostics: [...diagnostics, problem] };
}
