/**
 * The executor's dependencies for agents, with agent files in a map and real Lua. Scripts may pin, print and call
 * agents.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { IdSource } from '../base/ids.ts';
import { createAgentCaller } from '../host/executor/agent-caller.ts';
import type { AgentJobsOptions } from '../host/executor/agent-jobs.ts';
import { AgentRuns } from '../host/executor/agent-runs.ts';
import { readSchemaText } from '../language/schema/schema-text.ts';
import type { Capabilities, ScriptScope, SharedCapabilities } from '../runtime/kernel/capabilities/capabilities.ts';
import type { ScriptHost } from '../world/lua/host-calls.ts';
import { createLuaRuntime, type LuaRuntime } from '../world/lua/lua-runtime.ts';
import { createScripts } from '../world/script/scripts.ts';
import { createScriptSecrets } from '../world/secrets/run-secrets.ts';
import { testHost } from './run-lua.ts';

interface TestAgentOptions {
  /** Text of agent files by path. A path that begins with a pack reference is missing until the pack is installed. */
  readonly texts: Map<string, string>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly capabilities: Omit<SharedCapabilities, 'agents'>;
}

type AgentParts = Omit<AgentJobsOptions, 'store' | 'clock' | 'ids' | 'sessionId' | 'onRecordFailure'>;

export interface TestAgents {
  readonly runs: AgentRuns;
  readonly agents: Capabilities['agents'];
  readonly world: AgentParts & { readonly installPack: (reference: string) => Promise<string> };
  /** References of installed packs, in order. */
  readonly installed: readonly string[];
}

let shared: LuaRuntime | undefined;

/** Creates agents for one executor. */
export function createTestAgents({ texts, clock, ids, capabilities }: TestAgentOptions): TestAgents {
  shared ??= createLuaRuntime();
  const lua = shared;
  const installed: string[] = [];
  const world: TestAgents['world'] = {
    workspace: '/ws',
    async findAgent(name) {
      if (texts.has(name)) return { name, file: `/ws/${name}`, shownPath: name };
      if (name.includes('@')) {
        throw new EngineError({
          code: 'pack.not-found',
          message: `No aipack matches for ${name}.`,
          details: { ref: name },
        });
      }
      throw new EngineError({ code: 'agent.not-found', message: `No agent found for local path: '${name}'` });
    },
    readAgentSchemas: async (_place, names) =>
      new Map(names.map((name) => [name, readSchemaText(texts.get(name) ?? '', name)])),
    readAgentText: async ({ shownPath }) => texts.get(shownPath) ?? '',
    readOptionLayers: async () => [{ model: 'fake::default' }],
    listInputFiles: async (globs) => globs.map((glob) => ({ _type: 'FileInfo', path: glob })),
    async installPack(reference) {
      installed.push(reference);
      texts.set(reference, texts.get(`repository/${reference}`) ?? '');
      return '1.0.0';
    },
  };
  const hostOf = (scope: ScriptScope): ScriptHost => {
    const taskId = scope.taskId === undefined ? {} : { taskId: scope.taskId };
    return testHost({
      async pin({ scope: _, ...pin }) {
        scope.hub.emit({ type: 'pin', ...pin, ...taskId });
        return null;
      },
      async log({ level, text }) {
        scope.hub.emit({ type: 'log', level, text, ...taskId });
        return null;
      },
      async 'agent.run'({ name, inputs, options }, signal) {
        const { hub, isDry, depth, calls } = scope;
        const called = calls === undefined ? {} : { calls };
        const caller = { hub, signal, depth: depth + 1, isDry, followsRedo: false, ...called };
        return await agents.run({ agent: name, inputs, ...(options === undefined ? {} : { options }) }, caller);
      },
    });
  };
  const scripts = createScripts(lua, hostOf);
  const runs = new AgentRuns({
    ...world,
    clock,
    capabilities: { ...capabilities, scripts },
    scriptContext: { SESSION_UID: 's' },
    scriptTimeoutMs: null,
    openSecrets: () =>
      createScriptSecrets({ isOfPack: false, read: async () => 'value-of-a-secret', admit: () => undefined }),
    openDryRun: async () => ({ hasAnswers: false, leaveOut() {}, effects: () => [], close: async () => undefined }),
    contentHash: capabilities.hash.sha256,
  });
  const agents = createAgentCaller(runs, { ...world, clock, ids, admitForNode: async ({ file }) => file });
  return { runs, agents, world, installed };
}
