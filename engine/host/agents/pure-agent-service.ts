/**
 * Provides an engine's agents with a pure contract: those that the program registers, and product agents, which are
 * refreshed whenever one is about to run.
 */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import { notPure } from '../../language/agent/agent-contract.ts';
import { type Diagnostic, hasErrors } from '../../language/findings/diagnostic.ts';
import type { Product, ProductFile } from '../../packs/product/product.ts';
import type { FlowWithPath } from '../../packs/product/product-findings.ts';
import { AgentRegistry, productOfAgent, type RegisteredAgent } from '../../runtime/agent/pure/agent-registry.ts';
import { type AgentClass, classAgent } from '../../runtime/agent/pure/class-agent.ts';
import { createPureAgents } from '../../runtime/agent/pure/run-pure-agent.ts';
import type { AgentsCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { PureAgentsCapability } from '../../runtime/kernel/capabilities/pure-agents-capability.ts';
import { fileAgent } from './aip-agent.ts';
import type { ModuleWorld } from './module-agent.ts';

/** Options for a program's pure agents. */
export interface PureAgentOptions {
  /**
   * Classes that extend `BaseAgent`, instances of them, or factory functions: agents for flow steps, by their own
   * names.
   */
  readonly agents?: readonly AgentClass[];
}

interface PureAgentWorld extends PureAgentOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly isTrusted: () => Promise<boolean>;
  /** False to ignore modules that were not read instead of reporting them. */
  readonly readsModules?: false;
  /** Receives problems with product agents, even if no flow uses them. */
  readonly onNote: (note: EngineError) => void;
  /** Time limit for each run of a class in milliseconds; null if only the step's limit applies. */
  readonly scriptTimeoutMs: number | null;
  /** Returns the parts that are created after these agents. */
  readonly later: () => { readonly agents: AgentsCapability; readonly runModule: ModuleWorld['run'] };
}

export interface PureAgentService {
  readonly pureAgents: PureAgentsCapability;
  /** Returns the reasons why agents named in a flow's steps cannot run. */
  findProblems(flow: FlowWithPath): Promise<readonly Diagnostic[]>;
}

/** Registers the program's agents. @throws EngineError `agent.no-base-agent` | `agent.bad-name` | `agent.duplicate` */
export function createPureAgentService(world: PureAgentWorld): PureAgentService {
  const registry = new AgentRegistry();
  for (const agent of world.agents ?? []) registry.register(classAgent(agent, 'the program'));
  const products = new ProductAgents(registry, world);
  const resolve = async (name: string, product: string | undefined): Promise<RegisteredAgent> => {
    if (/[@/\\]|\.aip$/.test(name)) throw notPure(name);
    const owner = product ?? productOfAgent(name);
    const unread = owner === undefined ? [] : await products.read(owner);
    const agent = registry.find(name, product);
    if (agent === undefined && unread.length > 0 && world.readsModules !== false) throw untrusted(name, unread);
    const found = agent ?? registry.get(name, product);
    const twin = products.twins.get(found.name);
    if (twin !== undefined) throw twin;
    return found;
  };
  return {
    pureAgents: createPureAgents(resolve),
    async findProblems(flow) {
      if (flow.doc?.steps === undefined) return [];
      const { findStepAgentProblems } = await import('../../packs/product/step-agent-findings.ts');
      const problemOf = (name: string, product: string | undefined) =>
        resolve(name, product).then((agent) => products.brokenAgents.get(agent), asEngineError);
      return await findStepAgentProblems(flow, { problemOf });
    },
  };
}

/** Returns the reasons why agents named in a flow's steps cannot run. Needs no engine, because it only reads agent files. */
export async function checkStepAgents(flow: FlowWithPath, workspace: string): Promise<readonly Diagnostic[]> {
  const nothingRuns = () => Promise.reject(new Error('Checking a flow runs no code'));
  const service = createPureAgentService({
    ...{ workspace, scriptTimeoutMs: null, readsModules: false },
    isTrusted: async () => false,
    onNote: () => undefined,
    later: () => ({ agents: { run: nothingRuns }, runModule: nothingRuns }),
  });
  return await service.findProblems(flow);
}

/** Creates an agent that reports its error when it is about to run. */
function brokenAgent({ name, path }: ProductFile, error: EngineError): RegisteredAgent {
  return { name, kind: 'other', origin: path, tellsItself: true, run: () => Promise.reject(error) };
}

function untrusted(name: string, paths: readonly string[]): EngineError {
  return new EngineError({
    code: 'agent.untrusted',
    message: `Agent "${name}" is not available: ${paths.join(', ')} may define it, but classes are loaded only from a trusted workspace. Trust the workspace in the settings, or for one run with --trust.`,
    details: { agent: name, files: [...paths] },
  });
}

/** The result of reading a file. */
interface CachedAgentFile {
  readonly stamp: string;
  readonly agents: readonly RegisteredAgent[];
  readonly problems: readonly EngineError[];
}

/** Keeps the registry in sync with the files of products. */
class ProductAgents {
  readonly brokenAgents = new WeakMap<RegisteredAgent, EngineError>();
  /** Errors by name for agents with a duplicate name. None of these agents can run. */
  readonly twins = new Map<string, EngineError>();
  readonly #registry: AgentRegistry;
  readonly #world: PureAgentWorld;
  readonly #files = new Map<string, CachedAgentFile>();

  constructor(registry: AgentRegistry, world: PureAgentWorld) {
    this.#registry = registry;
    this.#world = world;
  }

  /** Reads changed files. Returns the paths of modules that are not read because the workspace is untrusted. */
  async read(name: string): Promise<readonly string[]> {
    const { workspace, isTrusted } = this.#world;
    const { findProduct } = await import('../../packs/product/find-products.ts');
    const product: Pick<Product, 'agents'> = (await findProduct(workspace, name)) ?? { agents: [] };
    const mayRun = await isTrusted();
    const isModule = ({ path }: ProductFile): boolean => path.endsWith('.mjs');
    const read = await Promise.all(
      product.agents.filter((file) => mayRun || !isModule(file)).map((file) => this.#readFile(file)),
    );
    const refused = this.#registry.setProduct(
      name,
      read.flatMap(({ agents }) => agents),
    );
    for (const known of this.twins.keys()) if (productOfAgent(known) === name) this.twins.delete(known);
    for (const error of refused) {
      if (error.code === 'agent.duplicate')
        this.twins.set(String((error.details as { readonly name: string }).name), error);
      this.#world.onNote(error);
    }
    return mayRun ? [] : product.agents.filter(isModule).map(({ path }) => path);
  }

  async #readFile(file: ProductFile): Promise<CachedAgentFile> {
    const absolute = join(this.#world.workspace, file.path);
    const stamp = await stat(absolute).then(
      ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
      () => 'gone',
    );
    const known = this.#files.get(file.path);
    if (known?.stamp === stamp) return known;
    const found = file.path.endsWith('.mjs')
      ? await this.#readModule(file, absolute)
      : await this.#readAgentFile(file, absolute);
    const read = { stamp, ...found };
    this.#files.set(file.path, read);
    for (const problem of found.problems) this.#world.onNote(problem);
    return read;
  }

  async #readModule(file: ProductFile, absolute: string): Promise<Omit<CachedAgentFile, 'stamp'>> {
    const { path } = file;
    const { scriptTimeoutMs, later } = this.#world;
    const world = { timeoutMs: scriptTimeoutMs, run: later().runModule };
    try {
      const { agentsOfModule } = await import('./module-agent.ts');
      const { agents, problems } = await agentsOfModule({ file: absolute, path }, world);
      return {
        agents,
        problems: [
          ...problems,
          ...agents.filter(({ name }) => productOfAgent(name) === undefined).map((agent) => bareName(agent)),
        ],
      };
    } catch (thrown) {
      return this.#broken(file, asEngineError(thrown));
    }
  }

  async #readAgentFile(file: ProductFile, absolute: string): Promise<Omit<CachedAgentFile, 'stamp'>> {
    try {
      const [{ readTextFile }, { parseAgent }] = await Promise.all([
        import('../../world/files/read-text.ts'),
        import('../../language/agent/parse-agent.ts'),
      ]);
      const { doc, diagnostics } = parseAgent(
        await readTextFile(absolute, { maxBytes: maxAgentBytes, shownPath: file.path }),
      );
      if (doc === null || hasErrors(diagnostics)) {
        const [first] = diagnostics.filter(({ severity }) => severity === 'error');
        const message = `${file.path}:${first?.range.line ?? 1}: ${first?.message ?? 'The file is not an agent.'}`;
        return this.#broken(file, new EngineError({ code: 'agent.invalid', message, details: { diagnostics } }));
      }
      if (doc.pure === undefined) return this.#broken(file, notPure(file.path, `../agents/${basename(file.path)}`));
      return { agents: [fileAgent(file, this.#world.later().agents)], problems: [] };
    } catch (thrown) {
      return this.#broken(file, asEngineError(thrown));
    }
  }

  #broken(file: ProductFile, error: EngineError): Omit<CachedAgentFile, 'stamp'> {
    const agent = brokenAgent(file, error);
    this.brokenAgents.set(agent, error);
    return { agents: [agent], problems: [error] };
  }
}

/** Maximum size of an agent file in bytes. */
const maxAgentBytes = 4 * 1024 * 1024;

function bareName({ name, origin }: RegisteredAgent): EngineError {
  const message = `${origin}: the name of agent "${name}" has no product. Name it product.${name}, with the name of its product.`;
  return new EngineError({ code: 'agent.bare-name', message });
}
