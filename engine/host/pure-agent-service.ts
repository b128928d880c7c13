/**
 * Agents of the contract pure in an engine: those that the program has registered, and those of products, which are looked at whenever
 * one is to run.
 */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { notPure } from '../agent/agent-contract.ts';
import { AgentRegistry, productOfAgent, type RegisteredAgent } from '../agent/pure/agent-registry.ts';
import { type AgentClass, classAgent } from '../agent/pure/class-agent.ts';
import { createPureAgents } from '../agent/pure/run-pure-agent.ts';
import { asEngineError, EngineError } from '../base/engine-error.ts';
import { type Diagnostic, hasErrors } from '../flowspec/diagnostic.ts';
import type { AgentsCapability } from '../kernel/capabilities.ts';
import type { PureAgentsCapability } from '../kernel/pure-agents-capability.ts';
import type { Product, ProductFile } from '../product/product.ts';
import type { PlacedFlow } from '../product/product-findings.ts';
import { fileAgent } from './aip-agent.ts';
import type { ModuleWorld } from './module-agent.ts';

/** What a program may say of them. */
export interface PureAgentOptions {
  /** Classes that extend `BaseAgent`, instances of them, or functions that make one: agents for steps of flows, by their own names. */
  readonly agents?: readonly AgentClass[];
}

interface PureAgentWorld extends PureAgentOptions {
  /** Absolute. */
  readonly workspace: string;
  readonly isTrusted: () => Promise<boolean>;
  /** False: nobody is told that modules were not read. */
  readonly readsModules?: false;
  /** Gets what is wrong with agents of products, where no flow need name them. */
  readonly onNote: (note: EngineError) => void;
  /** Milliseconds for each run of a class; null = no limit but the step's own. */
  readonly scriptTimeoutMs: number | null;
  /** What is made later than these agents. */
  readonly later: () => { readonly agents: AgentsCapability; readonly runModule: ModuleWorld['run'] };
}

export interface PureAgentService {
  readonly pureAgents: PureAgentsCapability;
  /** What keeps the agents that a flow's steps name from working. */
  findProblems(flow: PlacedFlow): Promise<readonly Diagnostic[]>;
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
      const { findStepAgentProblems } = await import('./step-agent-findings.ts');
      const problemOf = (name: string, product: string | undefined) =>
        resolve(name, product).then((agent) => products.brokenAgents.get(agent), asEngineError);
      return await findStepAgentProblems(flow, { problemOf });
    },
  };
}

/** What keeps the agents that a flow's steps name from working, for somebody who has no engine: agent files are read, and modules are not. */
export async function checkStepAgents(flow: PlacedFlow, workspace: string): Promise<readonly Diagnostic[]> {
  const nothingRuns = () => Promise.reject(new Error('Nothing runs while a flow is checked'));
  const service = createPureAgentService({
    ...{ workspace, scriptTimeoutMs: null, readsModules: false },
    isTrusted: async () => false,
    onNote: () => undefined,
    later: () => ({ agents: { run: nothingRuns }, runModule: nothingRuns }),
  });
  return await service.findProblems(flow);
}

/** An agent that is there and cannot run says why when it is to. */
function brokenAgent({ name, path }: ProductFile, error: EngineError): RegisteredAgent {
  return { name, kind: 'other', origin: path, tellsItself: true, run: () => Promise.reject(error) };
}

function untrusted(name: string, paths: readonly string[]): EngineError {
  return new EngineError({
    code: 'agent.untrusted',
    message: `There is no agent "${name}" yet: ${paths.join(', ')} may have it, and classes are read only in a workspace that you trust. Trust it in the settings, or for one run with --trust.`,
    details: { agent: name, files: [...paths] },
  });
}

/** What came of a file. */
interface ReadFile {
  readonly stamp: string;
  readonly agents: readonly RegisteredAgent[];
  readonly problems: readonly EngineError[];
}

/** Keeps the registry at what the files of products say. */
class ProductAgents {
  readonly brokenAgents = new WeakMap<RegisteredAgent, EngineError>();
  /** By name of an agent that there is twice: why none of the two runs. */
  readonly twins = new Map<string, EngineError>();
  readonly #registry: AgentRegistry;
  readonly #world: PureAgentWorld;
  readonly #files = new Map<string, ReadFile>();

  constructor(registry: AgentRegistry, world: PureAgentWorld) {
    this.#registry = registry;
    this.#world = world;
  }

  /** Reads what has changed. Gives the paths of modules that are not read, because the workspace is not trusted. */
  async read(name: string): Promise<readonly string[]> {
    const { workspace, isTrusted } = this.#world;
    const { findProduct } = await import('../product/find-products.ts');
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

  async #readFile(file: ProductFile): Promise<ReadFile> {
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

  async #readModule(file: ProductFile, absolute: string): Promise<Omit<ReadFile, 'stamp'>> {
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

  async #readAgentFile(file: ProductFile, absolute: string): Promise<Omit<ReadFile, 'stamp'>> {
    try {
      const [{ readTextFile }, { parseAgent }] = await Promise.all([
        import('../files/read-text.ts'),
        import('../agent/parse-agent.ts'),
      ]);
      const { doc, diagnostics } = parseAgent(
        await readTextFile(absolute, { maxBytes: maxAgentBytes, shownPath: file.path }),
      );
      if (doc === null || hasErrors(diagnostics)) {
        const [first] = diagnostics.filter(({ severity }) => severity === 'error');
        const message = `${file.path}:${first?.range.line ?? 1}: ${first?.message ?? 'The file is no agent.'}`;
        return this.#broken(file, new EngineError({ code: 'agent.invalid', message, details: { diagnostics } }));
      }
      if (doc.pure === undefined) return this.#broken(file, notPure(file.path, `../agents/${basename(file.path)}`));
      return { agents: [fileAgent(file, this.#world.later().agents)], problems: [] };
    } catch (thrown) {
      return this.#broken(file, asEngineError(thrown));
    }
  }

  #broken(file: ProductFile, error: EngineError): Omit<ReadFile, 'stamp'> {
    const agent = brokenAgent(file, error);
    this.brokenAgents.set(agent, error);
    return { agents: [agent], problems: [error] };
  }
}

/** An agent's file may have this many bytes. */
const maxAgentBytes = 4 * 1024 * 1024;

function bareName({ name, origin }: RegisteredAgent): EngineError {
  const message = `${origin}: the agent "${name}" does not say whose it is. Name it product.${name}, with the name of its product.`;
  return new EngineError({ code: 'agent.bare-name', message });
}
