/**
 * Finds agents that are node types, by their names in flows or as a list.
 */
import { stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { agentTypeData } from '../../language/agent/agent-node.ts';
import { parseAgent } from '../../language/agent/parse-agent.ts';
import { hasErrors } from '../../language/findings/diagnostic.ts';
import { missingAgentType } from '../../language/flow/agent-type-name.ts';
import type { SchemaFile } from '../../language/flow/schema-files.ts';
import type { MissingNodeType, NodeTypeData } from '../../language/types/node-type-spec.ts';
import type { PackFolders } from '../../packs/pack/pack-folders.ts';
import type { AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import type { AgentSource } from '../executor/agent-runs.ts';

export type AgentTypeSource = Pick<AgentSource, 'findAgent' | 'readAgentText' | 'readAgentSchemas'> & PackFolders;

/** Returns an agent as a node type, or a sentence that explains why it is not one and how to fix that. Never throws. */
export async function readAgentType(type: string, source: AgentTypeSource): Promise<SchemaFile> {
  try {
    const place = await source.findAgent(type, source.workspace);
    if (place.pack === undefined && leadsOut(source.workspace, place.file)) return { problem: missingAgentType(type) };
    return await typeOfText(type, place, await source.readAgentText(place), source);
  } catch (error) {
    return { problem: troubleWith(type, error) };
  }
}

async function typeOfText(
  type: string,
  place: AgentLocation,
  text: string,
  source: AgentTypeSource,
): Promise<SchemaFile> {
  const { doc, diagnostics } = parseAgent(text);
  if (doc === null || hasErrors(diagnostics)) {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    return {
      problem: `Agent ${place.shownPath} has an error in line ${first?.range.line ?? 1}: ${first?.message ?? ''}`,
    };
  }
  const { outputSchema } = doc;
  const named = outputSchema !== undefined && 'file' in outputSchema ? outputSchema.file : undefined;
  const file = named === undefined ? undefined : (await source.readAgentSchemas(place, [named])).get(named);
  const whole = file !== undefined && 'schema' in file ? { ...doc, outputSchema: file } : doc;
  const group = place.pack === undefined ? workspaceGroup : `${place.pack.namespace}@${place.pack.name}`;
  const nodeType = agentTypeData(whole, { type, group });
  if (nodeType !== undefined) return { nodeType };
  return {
    problem: `Agent ${type} is not a node type: it needs a [node] table below "# Options". To run the agent without one, use a node of type agent with input.agent: ${JSON.stringify(type)}.`,
  };
}

/** Heading of agents in the workspace. */
const workspaceGroup = 'This workspace';

function troubleWith(type: string, error: unknown): string {
  const { code, message } = toErrorRecord(error);
  if (code === 'pack.not-found') {
    const pack = type.split('/')[0];
    return `Pack ${pack} is not installed. Install it under Packs, or with: millrace install ${pack}`;
  }
  return code === 'agent.not-found' ? missingAgentType(type) : `The type "${type}" cannot be used: ${message}`;
}

function leadsOut(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

/** Matches text that may contain the table that makes an agent a node type. Other text does not have to be parsed. */
const mayBeType = /^[ \t]*(?:\[[ \t]*["']?node\b|["']?node["']?[ \t]*[.=])/m;
const maxAgentBytes = 4 * 1024 * 1024;

interface SeenFile {
  /** Modification time and size of the file. */
  readonly stamp: string;
  readonly type: NodeTypeData | MissingNodeType | undefined;
}

/** A list of types that can be refreshed without reading unchanged files again. */
export class AgentTypeList {
  readonly #source: AgentTypeSource;
  #seen: ReadonlyMap<string, SeenFile> = new Map();

  constructor(source: AgentTypeSource) {
    this.#source = source;
  }

  /**
   * Returns all agents of the workspace and its packs that are, or try to be, types. For agents in `named` that are not
   * types, includes the reason. Never throws.
   */
  async list(named: readonly string[]): Promise<readonly (NodeTypeData | MissingNodeType)[]> {
    const seen = new Map<string, SeenFile>();
    for (const { type, file } of await this.#files()) {
      const found = await this.#look(type, file).catch(() => undefined);
      if (found !== undefined) seen.set(type, found);
    }
    this.#seen = seen;
    const listed = [...seen.values()].flatMap(({ type }) => type ?? []);
    const known = new Set(listed.map(({ type }) => type));
    const others = [...new Set(named)].filter((type) => !known.has(type));
    return [...listed, ...(await Promise.all(others.map((type) => this.#read(type))))];
  }

  async #files(): Promise<readonly { readonly type: string; readonly file: string }[]> {
    const [{ listAgentFiles }, { listPacks }] = await Promise.all([
      import('../../packs/pack-views.ts'),
      import('../../packs/pack/pack-locator.ts'),
    ]);
    const [own, packs] = await Promise.all([
      listAgentFiles(this.#source.workspace).catch(() => []),
      listPacks(this.#source).catch(() => []),
    ]);
    const ofPacks = packs.flatMap(({ agents, isShadowed }) => (isShadowed ? [] : agents));
    return [
      ...own.map(({ agent, file }) => ({ type: `./${agent}`, file })),
      ...ofPacks.map(({ ref, file }) => ({ type: ref, file })),
    ];
  }

  async #look(type: string, file: string): Promise<SeenFile> {
    const { mtimeMs, size } = await stat(file);
    const stamp = `${mtimeMs} ${size}`;
    const former = this.#seen.get(type);
    if (former?.stamp === stamp) return former;
    const text = await readTextFile(file, { maxBytes: maxAgentBytes, shownPath: file });
    return { stamp, type: mayBeType.test(text) ? await this.#read(type) : undefined };
  }

  async #read(type: string): Promise<NodeTypeData | MissingNodeType> {
    const file = await readAgentType(type, this.#source);
    if ('nodeType' in file) return file.nodeType;
    if ('problem' in file) return { type, problem: file.problem };
    throw new EngineError({ code: 'engine.bug', message: `${type} was read as a schema` });
  }
}
