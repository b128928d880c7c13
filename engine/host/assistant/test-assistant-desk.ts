/**
 * Test helper: an engine with the assistant, a workspace with real files, and a local model server.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import type { Engine } from '../../index.ts';
import { createFastClock } from '../../testing/fast-clock.ts';
import { type ModelServer, type Plan, startModelServer } from '../../testing/model-server.ts';
import type { ProposalList } from '../proposals/proposal.ts';
import { type AgentWorkspace, createAgentWorkspace } from '../wiring/test-agent-workspace.ts';
import type { AssistantAnswer, AssistantRequest } from './assistant.ts';

/** The open flow, and a text that changes it. */
export const openFlow = `# Greets.
flow: { name: Hello }
nodes:
  - { id: greet, type: echo, input: { text: hello } } # keep
edges: []
`;
export const changedFlow = openFlow.replace('text: hello', 'text: good day');

export interface AssistantDesk {
  readonly world: AgentWorkspace;
  readonly engine: Engine;
  readonly server: ModelServer;
  /** Makes a request about `hello.flow.yaml`. */
  ask(more?: Partial<AssistantRequest>, signal?: AbortSignal): Promise<AssistantAnswer>;
  /** Returns the messages of a request as text. */
  sent(index: number): string;
  proposals(): Promise<ProposalList['proposals']>;
  /** Returns all files of the workspace with their content, except the history and proposals. */
  files(): readonly string[];
  close(): Promise<void>;
}

/** Opens the desk, which the caller must close. */
export async function openAssistantDesk(): Promise<AssistantDesk> {
  vi.stubEnv('MILLRACE_TEST_KEY', 'a-key-for-tests');
  const server = await startModelServer('openai-compatible');
  const world = createAgentWorkspace();
  world.write('workspace/hello.flow.yaml', openFlow);
  world.write('workspace/.env', 'TOKEN=a-secret-that-nobody-may-see\n');
  const provider = `kind = "openai-compatible"\nbase_url = "${server.baseUrl}"\napi_key_env = "MILLRACE_TEST_KEY"`;
  world.write('base/config-user.toml', `[options]\nmodel = "p::tiny"\n[providers.p]\n${provider}\n`);
  const assistantFolder = path.resolve(import.meta.dirname, '../../../resources/assistant');
  const engine = await world.open({ assistantFolder, clock: createFastClock(20) });
  const request = { id: 'r1', file: 'hello.flow.yaml', text: openFlow, message: 'Greet formally' };
  return {
    ...{ world, engine, server },
    ask: (more = {}, signal = new AbortController().signal) =>
      engine.assist({ ...request, budget: { tokens: 100_000 }, ...more }, signal),
    sent: (index) => JSON.stringify(server.received[index]?.body['messages']),
    proposals: async () => (await engine.listProposals()).proposals,
    files: () => filesIn(world.at('workspace')),
    async close() {
      await world.close();
      await server.close();
      vi.unstubAllEnvs();
    },
  };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.millrace'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => `${file}: ${readFileSync(file, 'utf8')}`)
    .sort();
}

/** Returns a response that calls a tool. @param input arguments; text is sent as it is */
export function callOf(name: string, input: unknown): Plan & object {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { pieces: [], calls: [{ id: 'c1', name, text }], finish: 'calls' };
}

/** Returns a response that proposes a text. */
export function proposalOf(text: string): Plan {
  return callOf('propose_changes', { title: 'Greet formally', text });
}
