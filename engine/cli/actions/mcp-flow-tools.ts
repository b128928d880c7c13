/**
 * Offers the workspace's flows and agents as tools of `millrace mcp`. A tool's name depends only on its own file, so a
 * client that calls it later never runs another flow.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { Engine } from '../../index.ts';
import { hasErrors, inputsSchemaOf, type JsonMap, type JsonValue, parseAgent, parseFlow } from '../../isomorphic.ts';
import { seenSchema, seenText } from '../../language/json/shown-text.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { allProblemsOf } from './file-problems.ts';
import { runForClient, usualWaitSeconds } from './mcp-run.ts';
import type { McpServedTool } from './mcp-tool.ts';

/** Maximum number of files that are offered. A longer list is not useful. */
const mostOffered = 200;
/** Maximum length of a description, in UTF-16 units. Clients cut or refuse longer ones. */
const longestDescription = 1_024;
/** Maximum length of a name that every client accepts. */
const longestName = 60;

/** A file that a client can or cannot call. */
export type OfferedFile =
  | { readonly path: string; readonly tool: McpServedTool }
  | { readonly path: string; readonly problem: string };

/** Finds the files to offer. Remembers which texts have been checked. */
export class FlowTools {
  readonly #engine: Engine;
  readonly #context: CliContext;
  readonly #reserved: ReadonlySet<string>;
  readonly #checked = new Map<string, { readonly text: string; readonly problem: string | undefined }>();

  /** @param reserved names of other tools */
  constructor(engine: Engine, context: CliContext, reserved: ReadonlySet<string>) {
    this.#engine = engine;
    this.#context = context;
    this.#reserved = reserved;
  }

  /** Checks all files again: whether one is valid depends on the files that it names, too. */
  forget(): void {
    this.#checked.clear();
  }

  /** Returns all flows and agents of the workspace. Two with the same name are not offered. */
  async list(): Promise<readonly OfferedFile[]> {
    const flows = (await this.#engine.listFlows()).map((one) => one.path);
    const agents = (await this.#engine.listAgents())
      .map(({ agent }) => agent)
      .filter((agent) => agent.endsWith('.aip'));
    const found: OfferedFile[] = [];
    for (const file of [...flows, ...agents]) found.push(await this.#read(file));
    const counts = new Map<string, number>();
    for (const one of found) if ('tool' in one) counts.set(one.tool.name, (counts.get(one.tool.name) ?? 0) + 1);
    let count = 0;
    return found.map((one) => {
      if ('problem' in one) return one;
      const { name } = one.tool;
      if (this.#reserved.has(name))
        return {
          path: one.path,
          problem: `Its toolName "${name}" is the name of a tool of Millrace. Choose another one.`,
        };
      if ((counts.get(name) ?? 0) > 1)
        return {
          path: one.path,
          problem: `Another file has the tool name "${name}", too. Change flow.toolName in one of them.`,
        };
      count += 1;
      return count > mostOffered
        ? { path: one.path, problem: `Only ${mostOffered} files are offered. Use the tool "run" with its path.` }
        : one;
    });
  }

  async #read(file: string): Promise<OfferedFile> {
    try {
      const text = file.endsWith('.aip')
        ? (await this.#engine.readAgent(file)).text
        : (await this.#engine.readFlow(file)).text;
      const problem = await this.#problemOf(file, text);
      if (problem !== undefined) return { path: file, problem };
      return { path: file, tool: file.endsWith('.aip') ? this.#agentTool(file, text) : this.#flowTool(file, text) };
    } catch (error) {
      return { path: file, problem: seenText(error instanceof Error ? error.message : String(error), 500) };
    }
  }

  /** Returns the first error of a file; undefined if it can run. */
  async #problemOf(file: string, text: string): Promise<string | undefined> {
    const known = this.#checked.get(file);
    if (known?.text === text) return known.problem;
    const { workspace } = this.#engine;
    const source = { shown: file, file: path.resolve(workspace, file), text };
    const problems = await allProblemsOf(source, { context: this.#context, workspace });
    const errors = problems.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const more = errors.length > 1 ? ` (${errors.length - 1} more)` : '';
    const problem =
      hasErrors(problems) && first !== undefined ? `Line ${first.range.line}: ${first.message}${more}` : undefined;
    this.#checked.set(file, { text, problem });
    return problem;
  }

  #flowTool(file: string, text: string): McpServedTool {
    const flow = parseFlow(text).doc?.flow;
    if (flow === undefined) throw usageError('It is not a flow.');
    const schema = flowSchema(flow, text);
    const known = Object.keys((schema['properties'] ?? {}) as JsonMap);
    return {
      name: flow.toolName ?? toolNameOf(file, this.#reserved),
      description: descriptionOf(flow.description ?? flow.name, `Runs the flow ${file}.`),
      inputSchema: seenSchema(schema),
      isReading: false,
      call: async (args, call) => {
        const inputs = mapOf(args);
        const unknown = Object.keys(inputs).find(
          (name) => schema['additionalProperties'] === false && !known.includes(name),
        );
        if (unknown !== undefined) throw unknownArgument(unknown, known);
        const waiting = { seconds: usualWaitSeconds, context: this.#context, call };
        return await runForClient(this.#engine, { path: file, inputs }, waiting);
      },
    };
  }

  #agentTool(file: string, text: string): McpServedTool {
    return {
      name: toolNameOf(file, this.#reserved),
      description: descriptionOf(agentWords(text) ?? 'An agent.', `Runs the agent ${file}.`),
      inputSchema: z.toJSONSchema(agentArguments, { io: 'input' }) as JsonMap,
      isReading: false,
      call: async (args, call) => {
        const { inputs } = agentArguments.parse(args ?? {});
        const target = { path: file, inputs: {}, ...(inputs === undefined ? {} : { items: inputs }) };
        return await runForClient(this.#engine, target, { seconds: usualWaitSeconds, context: this.#context, call });
      },
    };
  }
}

const agentArguments = z.strictObject({
  inputs: z
    .array(z.json())
    .max(10_000)
    .exactOptional()
    .describe('Items to process, usually texts. Without them, the agent runs as if it was started without inputs.'),
});

/**
 * Returns the name for a file: its path with `__` between folders, without the extension; agents end with `_agent`.
 * Paths for which this is not unique get a hash of the path.
 */
export function toolNameOf(file: string, reserved: ReadonlySet<string>): string {
  const isAgent = file.endsWith('.aip');
  const bare = file.replace(/\.flow\.ya?ml$|\.aip$|\.flow\.json$/, '');
  const plain = bare
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_/-]+/g, '_');
  const name = plain.replaceAll('/', '__') + (isAgent ? '_agent' : '');
  const isPlain =
    plain === bare &&
    !bare.includes('__') &&
    (isAgent || file.endsWith('.flow.yaml')) &&
    (isAgent || !bare.endsWith('_agent'));
  const isOwn = /^[A-Za-z]/.test(name) && !/(?:^|\/)_|_(?:\/|$)/.test(bare) && name.length <= longestName;
  if (isPlain && isOwn && !reserved.has(name)) return name;
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 8);
  const start = name
    .replace(/^[^A-Za-z]+/, '')
    .slice(-(longestName - hash.length - 1))
    .replace(/^[^A-Za-z]+/, '');
  return `${start || 'flow'}_${hash}`;
}

/**
 * Returns the schema of a flow's inputs. A flow that declares none has those that it reads, and accepts others only if
 * it reads all inputs at once.
 */
function flowSchema(flow: Parameters<typeof inputsSchemaOf>[0], text: string): JsonMap {
  const schema = inputsSchemaOf(flow);
  if (flow.inputs !== undefined || /flow\.input(?![.\w])/.test(text)) return schema;
  const read = [...text.matchAll(/flow\.input\.([A-Za-z_]\w*)/g)].map(([, name = '']): [string, JsonValue] => [
    name,
    {},
  ]);
  const properties = { ...Object.fromEntries(read), ...((schema['properties'] ?? {}) as JsonMap) };
  return { ...schema, properties, additionalProperties: false };
}

function descriptionOf(words: string, what: string): string {
  return `${seenText(words, longestDescription - what.length - 1)} ${what}`;
}

function agentWords(text: string): string | undefined {
  return parseAgent(text).doc?.node?.description;
}

function mapOf(args: unknown): Readonly<Record<string, JsonValue>> {
  return z.record(z.string(), z.json()).parse(args ?? {}) as Readonly<Record<string, JsonValue>>;
}

function unknownArgument(name: string, known: readonly string[]): Error {
  const has = known.length === 0 ? 'It has none.' : `It has: ${known.join(', ')}.`;
  return usageError(`The flow has no input "${seenText(name, 100)}". ${has}`);
}
