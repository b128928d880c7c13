/**
 * What a host program may ask of an engine about packs, agent files, models and trust.
 */

/** An agent that a pack or the workspace has. */
export interface AgentFile {
  /** What to run it by: `namespace@pack/agent`, or a path relative to the workspace with `/`. */
  readonly agent: string;
  /** Absolute. */
  readonly file: string;
}

/** What stands in an agent's file. */
export interface AgentText {
  readonly text: string;
  /** Absolute. */
  readonly file: string;
  /** Relative to the workspace with `/`; null when it lies elsewhere. */
  readonly path: string | null;
  /** Whether `writeFile` may replace it: only inside the workspace. */
  readonly isWritable: boolean;
}

/** A pack that is there. */
export interface PackListing {
  /** `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  /** Which folder it lies in; packs of the workspace come before the person's own, and those before installed ones. */
  readonly origin: 'workspace' | 'custom' | 'installed';
  /** Came with the program. */
  readonly isBuiltIn: boolean;
  /** Another pack of the same reference comes before it. */
  readonly isShadowed: boolean;
  /** Absolute. */
  readonly folder: string;
  /** What it was installed from, and when (RFC 3339). */
  readonly source?: string;
  readonly installedAt?: string;
  /** Of a git repository. */
  readonly commit?: string;
  readonly hasReadme: boolean;
  readonly agents: readonly AgentFile[];
  /** Flow files, relative to the pack's folder with `/`. */
  readonly flows: readonly string[];
  /** Why it cannot be used; then version and agents may be empty. */
  readonly problem?: string;
}

/** What became of the wish to install or update a pack. */
export interface PackChange {
  readonly ref: string;
  readonly version: string;
  readonly status: 'installed' | 'updated' | 'up-to-date' | 'failed';
  /** Why it failed, or what else there is to say. */
  readonly message?: string;
}

/** Packs. */
export interface PackEngine {
  listPacks(): Promise<readonly PackListing[]>;
  /**
   * Installs from a pack's reference, an address, a git repository or an `.aipack` file (absolute path).
   * @throws EngineError `pack.*`; what was installed stays as it was
   */
  installPack(request: { readonly uri: string; readonly force?: boolean }): Promise<PackChange>;
  /** Looks for newer versions where packs came from, of one or of all, and installs them. */
  updatePacks(ref?: string): Promise<readonly PackChange[]>;
  /** Moves an installed pack to the trash. @throws EngineError `pack.not-found` | `pack.not-removable` */
  removePack(ref: string): Promise<void>;
  /** The text of the pack's readme. @throws EngineError `pack.not-found` | `files.*` */
  readPackReadme(ref: string): Promise<{ readonly text: string }>;
  /** Agent files of the workspace, packs left out, in path order. */
  listAgents(): Promise<readonly AgentFile[]>;
  /** An agent's file, byte for byte. @throws EngineError `agent.not-found` | `pack.not-found` | `files.*` */
  readAgent(agent: string): Promise<AgentText>;
}

/** A provider of models as settings show it. Keys themselves are never shown. */
export interface ProviderView {
  readonly name: string;
  readonly kind: 'openai' | 'anthropic' | 'gemini' | 'openai-compatible' | 'ollama';
  readonly baseUrl: string;
  /** The variable that holds its key; null = it needs none. */
  readonly keyVariable: string | null;
  readonly hasKey: boolean;
  /** Known without being configured. */
  readonly isBuiltIn: boolean;
}

/** The person's model settings. */
export interface ModelSettingsView {
  /** Where they stand, absolute. */
  readonly file: string;
  /** Why the file cannot be used. */
  readonly problem?: string;
  readonly providers: readonly ProviderView[];
  readonly defaultModel: string | null;
  readonly aliases: Readonly<Record<string, string>>;
}

/** A provider as a person configures it. */
export interface ProviderEntry {
  readonly name: string;
  readonly kind: ProviderView['kind'];
  /** Absent = the kind's own address. */
  readonly baseUrl?: string;
  /** Absent = the kind's own variable, or none. */
  readonly keyVariable?: string;
}

/** Model settings and trust. */
export interface SettingsEngine {
  readModelSettings(): Promise<ModelSettingsView>;
  /** @throws EngineError `config.*` when the file cannot be changed; it is left as it was */
  saveProvider(entry: ProviderEntry): Promise<void>;
  removeProvider(name: string): Promise<void>;
  /** Null removes it. */
  setDefaultModel(model: string | null): Promise<void>;
  /** Null removes the alias. */
  setAlias(alias: string, model: string | null): Promise<void>;
  /** Asks the provider something small. Never throws for what it answers. */
  testProvider(
    name: string,
  ): Promise<{ readonly ok: boolean; readonly message: string; readonly models?: readonly string[] }>;
  /** Whether the person trusts this workspace. */
  readTrust(): Promise<{ readonly isTrusted: boolean }>;
  setTrust(isTrusted: boolean): Promise<void>;
}
