/**
 * In-memory capabilities: a scripted model and web server, and files in a map.
 */
import { createHash } from 'node:crypto';
import { EngineError } from '../base/engine-error.ts';
import type { JsonValue } from '../language/json/json-value.ts';
import { refusalOfThrown, resultOfValue } from '../runtime/agent/pure/agent-result.ts';
import { createPureAgents } from '../runtime/agent/pure/run-pure-agent.ts';
import type { AgentsCapability, Capabilities } from '../runtime/kernel/capabilities/capabilities.ts';
import type { CodeCapability } from '../runtime/kernel/capabilities/code-capability.ts';
import type { CommandsCapability } from '../runtime/kernel/capabilities/command-capability.ts';
import type { GovernanceCapability } from '../runtime/kernel/capabilities/effect.ts';
import type { FileBytes, FilesCapability, FileText } from '../runtime/kernel/capabilities/files-capability.ts';
import type { FlowsCapability } from '../runtime/kernel/capabilities/flows-capability.ts';
import type {
  PureAgentScope,
  PureAgentsCapability,
  StepContext,
} from '../runtime/kernel/capabilities/pure-agents-capability.ts';
import type { WebCapability, WebRequest, WebResponse } from '../runtime/kernel/capabilities/web-capability.ts';
import type { ModelCapability, ModelReply, ModelRequest } from '../runtime/kernel/models/model-capability.ts';
import { createAnswerReader } from '../world/answers/answer-reader.ts';
import { createTemplates } from '../world/template/templates.ts';
import { type CoreToolWorld, createCoreTools } from '../world/tools/core-tools.ts';
import { createToolExecutor } from '../world/tools/tool-executor.ts';
import { joinSources, type RunnableTool, type ToolSource } from '../world/tools/tool-source.ts';

export interface FakeWorld {
  /** Responds to one model request; repeats the last message by default. */
  readonly reply?: (request: ModelRequest) => ModelReply;
  /** Text by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Responds to one HTTP request; returns an empty 404 by default. */
  readonly respond?: (request: WebRequest) => Partial<WebResponse>;
  /** Runs a program; there are none by default. */
  readonly commands?: CommandsCapability;
  /** Runs an agent; there are none by default. */
  readonly agents?: AgentsCapability;
  /**
   * Agents with the pure contract, by the name that steps use. Each returns data or a result. There are none by
   * default.
   */
  readonly pureAgents?: Readonly<Record<string, PureAgentBody>>;
  /** Runs scripts; unavailable by default. */
  readonly code?: CodeCapability;
  /** Runs a flow; there are none by default. */
  readonly flows?: FlowsCapability;
  /** Tools in addition to those of `core`. */
  readonly tools?: readonly RunnableTool[];
  /** The gate for all effects; absent for none. */
  readonly governance?: GovernanceCapability;
}

export type PureAgentBody = (step: StepContext, scope: PureAgentScope) => JsonValue | Promise<JsonValue>;

export interface FakeCapabilities {
  readonly capabilities: Omit<Capabilities, 'ask'>;
  /** Model requests, in order. */
  readonly asked: readonly ModelRequest[];
  /** Current text by path. */
  readonly files: ReadonlyMap<string, string>;
  /** HTTP requests, in order. */
  readonly sent: readonly WebRequest[];
}

/** Creates an independent set of capabilities. */
export function createFakeCapabilities(world: FakeWorld = {}): FakeCapabilities {
  const asked: ModelRequest[] = [];
  const sent: WebRequest[] = [];
  const files = new Map(Object.entries(world.files ?? {}));
  const parts = {
    model: fakeModel(world.reply ?? repeatLastMessage, asked),
    files: fakeFiles(files),
    templates: createTemplates(),
    web: fakeWeb(world.respond ?? (() => ({ status: 404 })), sent),
    commands: world.commands ?? noCommands,
    hash: { sha256: (text: string) => createHash('sha256').update(text).digest('hex') },
    callers: { respond: async () => true },
    answers: createAnswerReader(),
    agents: world.agents ?? noAgents,
    pureAgents: fakePureAgents(world.pureAgents ?? {}),
    code: world.code ?? noCode,
    flows: world.flows ?? noFlows,
  };
  const source = joinSources([createCoreTools({ ...parts, ...fakeSearch(files) }), listedTools(world.tools ?? [])]);
  const governance = world.governance === undefined ? {} : { governance: world.governance };
  const tools = createToolExecutor({ source, answers: parts.answers, ...governance });
  const capabilities = { ...parts, tools, ...governance };
  return { capabilities, asked, files, sent };
}

const noCommands: CommandsCapability = {
  run: ({ program }) => Promise.reject(new EngineError({ code: 'command.not-started', message: `No "${program}"` })),
};

const noCode: CodeCapability = {
  run: ({ language }) => Promise.reject(new EngineError({ code: 'test.no-code', message: `No ${language} here` })),
};

const noFlows: FlowsCapability = {
  run: ({ flow }) => Promise.reject(new EngineError({ code: 'flow.not-callable', message: `No flow "${flow}"` })),
};

const noAgents: AgentsCapability = {
  run: ({ agent }) => Promise.reject(new EngineError({ code: 'agent.not-found', message: `No agent "${agent}"` })),
};

/** They run like real ones: on a frozen copy of the step, and with validated results. */
function fakePureAgents(bodies: Readonly<Record<string, PureAgentBody>>): PureAgentsCapability {
  return createPureAgents((name) => {
    const body = bodies[name];
    if (body === undefined) throw new EngineError({ code: 'agent.not-found', message: `There is no agent "${name}".` });
    return {
      ...{ name, kind: 'other', origin: 'the test' },
      run: async (step, scope) => {
        try {
          return resultOfValue(await body(step, scope));
        } catch (thrown) {
          return refusalOfThrown(thrown);
        }
      },
    };
  });
}

function repeatLastMessage({ messages }: ModelRequest): ModelReply {
  return { text: messages.at(-1)?.content ?? '', finishReason: 'stop' };
}

function fakeModel(reply: (request: ModelRequest) => ModelReply, asked: ModelRequest[]): ModelCapability {
  return {
    resolve: (model = 'fake::default') => {
      const [provider = '', name = ''] = model.split('::');
      return { provider, model: name, adapterKind: 'Fake' };
    },
    settingsOf: async (model = 'fake::default') => `settings of ${model}`,
    async ask(request, { signal, onText }) {
      asked.push(request);
      const answer = reply(request);
      for (const word of answer.text.split(/(?<= )/)) {
        signal.throwIfAborted();
        onText(word);
        await Promise.resolve();
      }
      return answer;
    },
  };
}

function fakeWeb(respond: (request: WebRequest) => Partial<WebResponse>, sent: WebRequest[]): WebCapability {
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      sent.push(request);
      return { status: 200, headers: {}, text: '', ...respond(request) };
    },
  };
}

function fakeFiles(files: Map<string, string>): FilesCapability {
  return {
    async readText(path) {
      const text = files.get(path);
      if (text === undefined) throw new EngineError({ code: 'files.not-found', message: `No file "${path}"` });
      return { path, text };
    },
    async readGlobs(globs) {
      const paths = [...files.keys()].filter((path) => globs.some((glob) => matches(path, glob))).sort();
      return paths.map((path) => ({ path, text: files.get(path) ?? '' }));
    },
    async readBytes(path, signal) {
      return bytesOf(await this.readText(path, signal));
    },
    async readBytesOfGlobs(globs, signal) {
      return (await this.readGlobs(globs, signal)).map(bytesOf);
    },
    async withOpened(paths, use, signal) {
      const read = await Promise.all(paths.map((path) => this.readBytes(path, signal)));
      return await use(
        read.map(({ path, base64, sizeBytes }) => ({
          ...{ path, sizeBytes },
          async *pieces() {
            yield Buffer.from(base64, 'base64');
          },
        })),
      );
    },
    async save(path, fill) {
      const pieces: Uint8Array[] = [];
      const result = await fill(async (piece) => void pieces.push(piece));
      files.set(path, Buffer.concat(pieces).toString('latin1'));
      return result;
    },
    async writeText(path, text, mode) {
      const whole = mode === 'append' ? `${files.get(path) ?? ''}${text}` : text;
      files.set(path, whole);
      return { path, sizeBytes: Buffer.byteLength(whole) };
    },
  };
}

function bytesOf({ path, text }: FileText): FileBytes {
  const bytes = Buffer.from(text, 'latin1');
  return { path, base64: bytes.toString('base64'), sizeBytes: bytes.byteLength };
}

function listedTools(tools: readonly RunnableTool[]): ToolSource {
  return { list: async () => tools, find: async (name) => tools.find(({ description }) => description.name === name) };
}

/** Finds only literal text. */
function fakeSearch(files: ReadonlyMap<string, string>): Pick<CoreToolWorld, 'listFiles' | 'searchTexts'> {
  return {
    listFiles: async (glob) => [...files.keys()].filter((path) => glob === '**' || matches(path, glob)).sort(),
    async searchTexts({ text: wanted }) {
      const found = [...files].flatMap(([path, whole]) =>
        whole.split('\n').flatMap((text, at) => (text.includes(wanted) ? [{ path, line: at + 1, text }] : [])),
      );
      return { matches: found, isCut: false };
    },
  };
}

/** Supports only `*` and `**`. */
function matches(path: string, glob: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${pattern}$`).test(path);
}
