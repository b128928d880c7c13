/**
 * A program for tests: runs the flow of `chaos-flow.ts`, or resumes its run, until it ends or is killed. Called with a
 * folder and a `ChaosOrder`; prints JSON lines, each once its content is durable.
 */
import { appendFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemClock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { asSessionId } from '../base/ids.ts';
import { currentOwner } from '../history/store/owner.ts';
import type { RunStore } from '../history/store/run-store.ts';
import { openRunStore } from '../history/store/sqlite-run-store.ts';
import type { AcceptedRun } from '../host/executor/active-runs.ts';
import { createExecutor, type Executor } from '../host/executor/executor.ts';
import { createIdSource } from '../host/executor/id-source.ts';
import { defineNodeType, type NodeRunContext, type NodeType } from '../runtime/flow/node-type.ts';
import type { CodeCapability } from '../runtime/kernel/capabilities/code-capability.ts';
import type { ModelCapability, ModelReply, ModelRequest } from '../runtime/kernel/models/model-capability.ts';
import { createInboxRouter } from '../runtime/kernel/requests/agent-inbox.ts';
import { builtinNodes } from '../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../runtime/nodes/node-registry.ts';
import { noConfig } from '../runtime/nodes/shared-schemas.ts';
import { createWorkspaceFiles } from '../world/files/workspace-files.ts';
import { createJsRuntime } from '../world/js/js-runtime.ts';
import { createLuaRuntime } from '../world/lua/lua-runtime.ts';
import { createFlowScripts } from '../world/script/flow-scripts.ts';
import { createScripts } from '../world/script/scripts.ts';
import { createScriptSecrets } from '../world/secrets/run-secrets.ts';
import { createTestAgents } from './agent-world.ts';
import { chaosAgentInputs, chaosAgents, chaosAgentsFlow } from './chaos-agents.ts';
import { chaosAsked, chaosAskers, chaosAsksFlow } from './chaos-asks.ts';
import { chaosBlocksFlow, chaosPieces } from './chaos-blocks.ts';
import { chaosCalled, chaosCallsFlow } from './chaos-calls.ts';
import { chaosFlow, chaosInputs } from './chaos-flow.ts';
import { type ChaosNews, type ChaosOrder, type JournalLine, workOf } from './chaos-order.ts';
import { chaosToolReply, chaosTools, chaosToolsFlow } from './chaos-tools.ts';
import { createFakeCapabilities } from './fake-capabilities.ts';
import { namedTexts } from './flow-texts.ts';
import { testHost } from './run-lua.ts';
import { testNode } from './test-node.ts';

const bookNode = defineNodeType(
  {
    type: 'test.book',
    title: 'Book',
    description: 'Acts outside.',
    category: 'net',
    icon: 'globe',
    inputSchema: z.object({ who: z.string() }),
    configSchema: noConfig,
    outputSchema: z.object({ booked: z.string() }),
    effects: 'external',
  },
  {
    capabilities: [],
    async run({ input: { who }, signal, clock }) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 6));
      signal.throwIfAborted();
      return { booked: `seat of ${who}` };
    },
  },
);

/** Fails the first time in every process. */
function flakyNode(): NodeType {
  let calls = 0;
  return testNode('test.flaky', async () => {
    calls++;
    if (calls === 1) throw new EngineError({ code: 'test.flaky', message: 'Not the first time' });
    return { text: 'in the end' };
  });
}

/** Wraps a type so that its work is recorded in the journal. */
function noted(nodeType: NodeType, note: (moment: JournalLine['moment'], work: string) => void): NodeType {
  return {
    ...nodeType,
    async run(context: NodeRunContext<unknown, unknown, never>) {
      const work = workOf(context.nodeId, context.input);
      note('start', work);
      // The type's own schemas have parsed the input.
      const output = await nodeType.run(context as NodeRunContext<never, never, never>);
      note('end', work);
      return output;
    },
  };
}

/** A model with a delay that records each request. */
function notedModel(
  model: ModelCapability,
  note: (moment: JournalLine['moment'], work: string) => void,
): ModelCapability {
  return {
    ...model,
    async ask(question, listener) {
      const work = question.messages.at(-1)?.content.trim() ?? '';
      note('start', work);
      await new Promise<void>((resolve) => systemClock.setTimer(resolve, 5));
      const reply = await model.ask(question, listener);
      note('end', work);
      return reply;
    },
  };
}

/** Prints one line synchronously before the next statement runs. */
function say(news: ChaosNews): void {
  writeSync(1, `${JSON.stringify(news)}\n`);
}

function crash(): void {
  process.kill(process.pid, 'SIGKILL');
}

function crashing(store: RunStore, order: ChaosOrder): RunStore {
  const append = store.append.bind(store);
  store.append = (runId, events) => {
    const isDue = order.crash !== undefined && events.some(({ seq }) => seq === order.crash?.seq);
    if (isDue && order.crash?.when === 'before') crash();
    append(runId, events);
    if (isDue) crash();
  };
  return store;
}

/** Real interpreters, which end with the process. */
function createTestCode(folder: string): CodeCapability {
  return createFlowScripts({
    workspace: folder,
    javascript: createJsRuntime(),
    lua: createScripts(createLuaRuntime(), () => testHost({})),
    scriptContext: {},
    openSecrets: () =>
      createScriptSecrets({ isOfPack: false, read: async () => 'value-of-a-secret', admit: () => undefined }),
    timeoutMs: null,
  });
}

async function openExecutor(folder: string, order: ChaosOrder) {
  const clock = systemClock;
  const ids = createIdSource(clock);
  const file = path.join(folder, 'runs.db');
  const store = crashing(await openRunStore({ file, clock, owner: currentOwner() }), order);
  const { session } = order;
  const journal = path.join(folder, 'journal.jsonl');
  const note = (moment: JournalLine['moment'], work: string): void =>
    appendFileSync(journal, `${JSON.stringify({ session, moment, work } satisfies JournalLine)}\n`);
  const nodeTypes = [...builtinNodes, bookNode, flakyNode()].map((nodeType) => noted(nodeType, note));
  const reply = (asked: ModelRequest): ModelReply =>
    chaosToolReply(asked) ?? { text: asked.messages.at(-1)?.content ?? '', finishReason: 'stop' };
  const fake = createFakeCapabilities({ reply, tools: chaosTools(note) }).capabilities;
  const capabilities = { ...fake, model: notedModel(fake.model, note) };
  const { runs, agents, world } = createTestAgents({
    texts: new Map([...chaosAgents, ...chaosAskers]),
    clock,
    ids,
    capabilities,
  });
  const registry = createNodeRegistry(nodeTypes);
  const executor = createExecutor({
    ...world,
    store,
    registry,
    agentRuns: runs,
    capabilities: { ...capabilities, agents, code: createTestCode(folder), files: createWorkspaceFiles(folder) },
    openSecrets: () => Promise.reject(new Error('This test has no secrets.')),
    onRefusedRedo(error) {
      throw error;
    },
    onRefusedResume(error) {
      throw error;
    },
    onReminded: () => undefined,
    inboxes: createInboxRouter({ clock }),
    clock,
    ids,
    sessionId: asSessionId(`session-${session}`),
    onRecordFailure(error) {
      throw error;
    },
    readDefinition: async () => chaosFlow,
    readSchemas: async (_path, names) =>
      namedTexts(new Map([...chaosCalled, ...chaosPieces, ...chaosAsked]), names, registry),
    readCalledFlow: async (_path, name) => ({ problem: `There is no flow ${name}.` }),
    maxConcurrentRuns: 1,
  });
  return { executor, store };
}

/** The flows that can be run, by the subject of an order. */
const flows = {
  agents: { path: 'agents.flow.yaml', text: chaosAgentsFlow, inputs: {} },
  flows: { path: 'calls.flow.yaml', text: chaosCallsFlow, inputs: {} },
  blocks: { path: 'blocks.flow.yaml', text: chaosBlocksFlow, inputs: {} },
  asks: { path: 'asks.flow.yaml', text: chaosAsksFlow, inputs: {} },
  tools: { path: 'tools.flow.yaml', text: chaosToolsFlow, inputs: {} },
};

async function request(executor: Executor, { runId, approve, nodeId, subject }: ChaosOrder): Promise<AcceptedRun> {
  if (runId !== undefined) {
    const of = nodeId === undefined ? {} : { nodeId };
    return executor.resumeRun({ runId, ...of, ...(approve ? { decision: 'approve' } : {}) });
  }
  if (subject === 'agent') {
    const accepted = await executor.startAgent({ agent: 'outer.aip', inputs: chaosAgentInputs });
    if ('work' in accepted) throw new Error('Nothing is missing');
    return accepted;
  }
  return executor.startRun(
    subject === undefined ? { path: 'chaos.flow.yaml', text: chaosFlow, inputs: chaosInputs } : flows[subject],
  );
}

async function main(folder: string, order: ChaosOrder): Promise<void> {
  const { executor, store } = await openExecutor(folder, order);
  executor.subscribe((events) => {
    for (const { seq } of events) say({ type: 'told', seq });
  });
  const { runId, ended } = await request(executor, order);
  say({ type: 'accepted', runId });
  const { status } = await ended;
  await executor.close();
  store.close();
  say({ type: 'over', status });
}

const [folder = '', order = ''] = process.argv.slice(2);
// Only the chaos test starts this program, with a valid order.
await main(folder, JSON.parse(order) as ChaosOrder);
