/**
 * Tools of manifests: `tools/*.tool.yaml` of a workspace, and of packs.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Diagnostic } from '../flowspec/diagnostic.ts';
import { hasErrors } from '../flowspec/diagnostic.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import type { ToolDescription } from '../kernel/tool-capability.ts';
import { type ManifestWorld, runManifest } from './manifest-runs.ts';
import type { ToolManifest } from './manifest-schema.ts';
import { type ParsedManifest, parseManifest } from './parse-manifest.ts';
import type { RunnableTool, ToolContext, ToolSource } from './tool-source.ts';

/** A folder that has manifests. */
export interface ToolFolder {
  /** Absolute. */
  readonly folder: string;
  /** As people know it: relative to the workspace with `/`, or absolute. */
  readonly shown: string;
  /** The pack that it is of, by its name; absent = the workspace. */
  readonly pack?: string;
}

/** A manifest, whether it can be used or not. */
export interface FoundManifest {
  /** What the tool is called; of a manifest without a name, after its file. */
  readonly name: string;
  /** As people know it. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where an error stands in the way. */
  readonly tool?: RunnableTool;
}

interface ManifestToolsOptions extends ManifestWorld {
  /** The folders of the workspace and of packs, in the order in which a name is looked for. @param pack only those of this pack */
  readonly folders: (pack?: string) => Promise<readonly ToolFolder[]>;
  /** @throws EngineError `secret.*` */
  readonly openSecrets: (names: readonly string[], manifest: { path: string; text: string }) => Promise<RunSecrets>;
}

const ending = '.tool.yaml';
/** A manifest may have this many bytes. */
const mostBytes = 1024 * 1024;
/** More of one folder are not read. */
const mostManifests = 1000;

interface ReadFile {
  readonly changed: string;
  readonly text: string;
  readonly parsed: ParsedManifest;
}

/** Reads manifests when they are asked for; what has not changed is not read again. */
export class ManifestTools implements ToolSource {
  readonly #options: ManifestToolsOptions;
  /** By absolute path. */
  readonly #read = new Map<string, ReadFile>();

  constructor(options: ManifestToolsOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly RunnableTool[]> {
    return (await this.manifests()).flatMap(({ tool }) => tool ?? []);
  }

  async find(name: string): Promise<RunnableTool | undefined> {
    const [pack, ...rest] = name.split('.');
    const found = await this.manifests(rest.length === 0 ? '' : pack);
    return found.find((one) => one.name === name && one.tool !== undefined)?.tool;
  }

  /** @param pack only those of this pack; `''` = only those of the workspace */
  async manifests(pack?: string): Promise<readonly FoundManifest[]> {
    const folders = await this.#options.folders(pack);
    const found = (await Promise.all(folders.map((folder) => this.#manifestsIn(folder)))).flat();
    const first = new Map<string, FoundManifest>();
    return found.map((one) => {
      const other = first.get(one.name);
      if (other === undefined) first.set(one.name, one);
      return other === undefined ? one : duplicate(one, other);
    });
  }

  async #manifestsIn(place: ToolFolder): Promise<readonly FoundManifest[]> {
    const names = await readdir(place.folder).catch((): string[] => []);
    const files = names.filter((name) => name.endsWith(ending)).sort();
    const found = await Promise.all(files.slice(0, mostManifests).map((file) => this.#manifest(place, file)));
    return found.flatMap((one) => one ?? []);
  }

  async #manifest(place: ToolFolder, file: string): Promise<FoundManifest | undefined> {
    const path = join(place.folder, file);
    const state = await stat(path).catch(() => undefined);
    if (state?.isFile() !== true || state.size > mostBytes) return undefined;
    const changed = `${state.mtimeMs} ${state.size} ${state.ino}`;
    let read = this.#read.get(path);
    if (read?.changed !== changed) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      read = { changed, text, parsed: parseManifest(text) };
      this.#read.set(path, read);
    }
    return this.#found(place, file, read);
  }

  #found(place: ToolFolder, file: string, { text, parsed }: ReadFile): FoundManifest {
    const { manifest, secretNames } = parsed;
    const own = manifest?.tool_id ?? basename(file, ending);
    const name = place.pack === undefined ? own : `${place.pack}.${own}`;
    const path = `${place.shown}/${file}`;
    const diagnostics =
      place.pack !== undefined && secretNames.length > 0 ? [...parsed.diagnostics, secretsOfPack] : parsed.diagnostics;
    if (manifest === null || hasErrors(diagnostics)) return { name, path, diagnostics };
    const whole = { name, path, folder: place.folder, text, manifest, parsed };
    return { name, path, diagnostics, tool: this.#toolOf(whole) };
  }

  #toolOf(whole: WholeManifest): RunnableTool {
    const { manifest } = whole;
    const { timeout_ms, max_retries, rate_limit_rpm, cache_ttl_ms, run } = manifest;
    return {
      description: descriptionOf(whole),
      limits: {
        ...(timeout_ms === null || !hasLimit(manifest) ? {} : { timeoutMs: timeout_ms }),
        ...(max_retries === null ? {} : { maxRetries: max_retries }),
        ...(rate_limit_rpm === null ? {} : { callsPerMinute: rate_limit_rpm }),
        ...(cache_ttl_ms === null ? {} : { cacheMs: cache_ttl_ms }),
      },
      // JavaScript reaches nothing outside of itself.
      ...(run.js === undefined ? {} : { onlyReads: true }),
      run: async (params, context) => await this.#run(whole, params, context),
    };
  }

  async #run(whole: WholeManifest, params: ToolParams, context: ToolContext): Promise<JsonValue> {
    const { name, path, folder, text, manifest, parsed } = whole;
    const { secretNames, codePlace } = parsed;
    const secrets = secretNames.length === 0 ? undefined : await this.#options.openSecrets(secretNames, { path, text });
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

/** What may wait for people or models has no time-out unless somebody writes one. */
function hasLimit({ run, timeout_ms }: ToolManifest): boolean {
  return (run.agent === undefined && run.flow === undefined) || timeout_ms !== 60_000;
}

function descriptionOf({ name, path, manifest }: WholeManifest): ToolDescription {
  const [kind = 'http'] = Object.keys(manifest.run);
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
    // The schema takes no other keys.
    kind: kind as ToolDescription['kind'],
    source: path,
  };
}

function masked(thrown: unknown, secrets: RunSecrets): unknown {
  if (thrown instanceof Error) thrown.message = secrets.mask(thrown.message);
  return thrown;
}

const start = { line: 1, column: 1, endLine: 1, endColumn: 2 };

const secretsOfPack: Diagnostic = {
  code: 'secret.misplaced',
  severity: 'error',
  message:
    'A tool of a pack gets no secrets. Copy its manifest into the tools folder of the workspace when you have looked at what it does.',
  range: start,
};

function duplicate({ name, path, diagnostics }: FoundManifest, other: FoundManifest): FoundManifest {
  const message = `The tool "${name}" is there already, in ${other.path}. Give one of them another tool_id.`;
  const refused: Diagnostic = { code: 'tool.duplicate', severity: 'error', message, range: start };
  return { name, path, diagnostics: [...diagnostics, refused] };
}
