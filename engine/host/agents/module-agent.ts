/**
 * Provides agents that a product defines as classes in modules. They are loaded, described and run in the sandbox,
 * never in the engine's own process.
 */
import { dirname, join } from 'node:path';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { RegisteredAgent } from '../../runtime/agent/pure/agent-registry.ts';
import {
  type CheckedResult,
  checkResult,
  maxResultBytes,
  refusalOfThrown,
  refusalOfValue,
  timedOut,
  withSpent,
} from '../../runtime/agent/pure/agent-result.ts';
import { createPowers } from '../../runtime/agent/pure/reasoner.ts';
import { agentKinds } from '../../runtime/kernel/capabilities/pure-agents-capability.ts';
import { systemHolder, whileOpen } from '../../world/files/folders/folder-holder.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import type { JsAgentRuntime } from '../../world/js/js-runtime.ts';
import { isWithin, realPathOf } from '../../world/script/script-paths.ts';

/** Maximum size of a module in bytes. */
const maxModuleBytes = 4 * 2 ** 20;

/** Time limit for a module to list its agents, in milliseconds. */
const longestListing = 10_000;

/** Maximum number of concurrent model requests of one agent. */
const mostAtOnce = 8;

/** The location of a module with product agents. */
export interface AgentModule {
  /** Absolute path of the file. */
  readonly file: string;
  /** Path relative to the workspace with `/`. */
  readonly path: string;
}

export interface ModuleWorld {
  readonly run: JsAgentRuntime['run'];
  /** Time limit for each run in milliseconds; null if only the step's limit applies. */
  readonly timeoutMs: number | null;
}

/**
 * Returns a module's agents, and the problems of its other classes.
 * @throws EngineError `js.*` | `files.*` if it cannot be read or run
 */
export async function agentsOfModule(
  module: AgentModule,
  world: ModuleWorld,
): Promise<{ readonly agents: readonly RegisteredAgent[]; readonly problems: readonly EngineError[] }> {
  const silent = { log: async () => null, trace: async () => null, ask: async () => [], module: moduleReader(module) };
  const limits = { signal: new AbortController().signal, timeoutMs: null, computeMs: longestListing };
  const listed = await world.run({ ...orderOf(module), agent: '', inputText: 'null' }, silent, limits);
  const classes = (isJsonList(listed) ? listed : []).filter((one): one is JsonMap => isJsonMap(one));
  const agents = classes.filter(({ problem }) => problem === '').map((one) => agentOf(one, module, world));
  const problems = classes
    .filter(({ problem }) => problem !== '')
    .map(({ export: name, problem }) =>
      notAnAgent(module, `the class it exports as ${String(name)} ${String(problem)}`),
    );
  if (classes.length > 0) return { agents, problems };
  return { agents, problems: [notAnAgent(module, 'it exports no class that extends BaseAgent')] };
}

function notAnAgent({ path }: AgentModule, why: string): EngineError {
  return new EngineError({ code: 'agent.no-base-agent', message: `${path}: no agent was registered, because ${why}.` });
}

function orderOf({ file }: AgentModule): { readonly module: string; readonly maxResultBytes: number } {
  // The module's limit includes data around the result; here, only the result is measured.
  return { module: file.slice(dirname(file).length + 1), maxResultBytes: maxResultBytes + 1024 };
}

function agentOf({ name, kind }: JsonMap, module: AgentModule, world: ModuleWorld): RegisteredAgent {
  return {
    name: String(name),
    kind: agentKinds.find((known) => known === kind) ?? 'other',
    origin: module.path,
    async run(step, scope) {
      const { hub, signal } = scope;
      const powers = createPowers(scope);
      const task = hub.taskId === undefined ? {} : { taskId: hub.taskId };
      const host: Parameters<JsAgentRuntime['run']>[1] = {
        async log(line) {
          hub.emit({ type: 'log', ...line, ...task });
          return null;
        },
        async trace({ name: told, data }) {
          powers.trace(told, data);
          return null;
        },
        ask: ({ requests }) =>
          answersTo(requests, async (request) => (await powers.reasoner.ask(request as never)) as never),
        module: moduleReader(module),
      };
      try {
        const order = { ...orderOf(module), agent: String(name), inputText: JSON.stringify(step) };
        const gave = await world.run(order, host, { signal, timeoutMs: world.timeoutMs });
        return withSpent(checkResult(isJsonMap(gave) ? gave['result'] : undefined), powers.spent());
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        return outcomeOfFailure(thrown);
      } finally {
        powers.close();
      }
    },
  };
}

/** @throws EngineError if the engine could not run the agent */
function outcomeOfFailure(thrown: unknown): CheckedResult {
  const { code, message, details } = toErrorRecord(thrown);
  if (code === 'js.timeout') return timedOut(message);
  if (code === 'node.bad-output') {
    const [culprit] = (isJsonList(details as JsonValue) ? details : []) as readonly {
      path?: unknown;
      message?: unknown;
    }[];
    return refusalOfValue((culprit?.path ?? []) as (string | number)[], String(culprit?.message ?? message));
  }
  if (code === 'node.output-too-large') return checkResult('x'.repeat(maxResultBytes + 1));
  if (code === 'js.crashed' || code === 'js.closed') throw thrown;
  return refusalOfThrown(thrown);
}

async function answersTo(
  requests: readonly unknown[],
  answer: (request: unknown) => Promise<JsonValue>,
): Promise<readonly JsonValue[]> {
  const answers: JsonValue[] = [];
  for (let at = 0; at < requests.length; at += mostAtOnce) {
    answers.push(...(await Promise.all(requests.slice(at, at + mostAtOnce).map(answer))));
  }
  return answers;
}

/** Reads modules in one folder, and rejects symbolic links that point outside it. */
function moduleReader({ file, path }: AgentModule): (params: { readonly path: string }) => Promise<string> {
  const folder = dirname(file);
  return async ({ path: name }) => {
    const shownPath = `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;
    const real = await realPathOf(join(folder, name));
    if (!isWithin(await realPathOf(folder), real)) {
      throw new EngineError({
        code: 'files.outside',
        message: `${shownPath} is outside the folder of its product's agents, or a link leads there. Copy the file there.`,
      });
    }
    return await whileOpen(systemHolder, { real, shown: shownPath }, (open) =>
      readTextFile(open, { maxBytes: maxModuleBytes, shownPath }),
    );
  };
}
