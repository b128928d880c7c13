/**
 * Implements `tools`.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { unknownTool } from '../../host/wiring/tool-service.ts';
import type { Engine } from '../../index.ts';
import { isJsonMap, type JsonMap, readExactJson, repeatedKeyProblem, tooDeepError } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { oneLine } from '../progress/phrases.ts';
import { startMcpServers } from './mcp-servers.ts';
import { withEngine } from './with-engine.ts';
import { printEach } from './with-packs.ts';

/**
 * Lists all tools. Exits with 2 if a manifest is invalid or a server does not start. A tool with an invalid description
 * from its server is listed without affecting the exit code.
 */
export async function listTools(context: CliContext, options: GlobalOptions): Promise<number> {
  return await withWorkspace(context, options, async (engine) => {
    const failed = (await startMcpServers(engine)).filter(({ state }) => state === 'failed');
    for (const { name, error = '' } of failed) context.terminal.err(oneLine(`${name}: ${error}`));
    const values = await engine.listTools();
    const width = Math.max(0, ...values.map(({ name }) => name.length));
    const { dim } = context.terminal.colors;
    printEach(context, options, {
      values,
      lineOf: ({ name, kind, description, problem }) =>
        `${name.padEnd(width)}  ${problem === undefined ? `${dim(kind.padEnd(7))}  ${description}` : `error: ${[problem.place ?? [], problem.message].flat().join(' ')}`}`,
    });
    const isBroken = values.some(({ problem, kind }) => problem !== undefined && kind !== 'mcp');
    return failed.length > 0 || isBroken ? exitCode.refused : exitCode.ok;
  });
}

/** Shows the details of one tool. @throws EngineError `tool.unknown` */
export async function showTool(context: CliContext, name: string, options: GlobalOptions): Promise<void> {
  await withWorkspace(context, options, async (engine) => {
    await startMcpServers(engine, name.split('.', 1)[0]);
    const all = await engine.listTools();
    const tool = all.find((one) => one.name === name);
    if (tool === undefined) {
      throw unknownTool(
        name,
        all.map((one) => one.name),
      );
    }
    context.terminal.out(`${JSON.stringify(tool, null, options.json === true ? undefined : 2)}\n`);
  });
}

/** Calls a tool and prints its result. Exits with 1 if it failed. */
export async function tryTool(
  context: CliContext,
  tool: string,
  options: GlobalOptions & { readonly params?: string },
): Promise<number> {
  const params = await readParams(context, options.params);
  return await withWorkspace(context, options, async (engine) => {
    const result = await engine.tryTool({ tool, params, isAgreed: true });
    context.terminal.out(`${JSON.stringify(result, null, options.json === true ? undefined : 2)}\n`);
    return result.status === 'success' ? exitCode.ok : exitCode.failed;
  });
}

/** Lists the MCP tools that run without asking. With `--json`, prints one per line. */
export async function listAllowed(context: CliContext, options: GlobalOptions): Promise<void> {
  await withWorkspace(context, options, async (engine) => {
    const values = await engine.listAllowedTools();
    if (values.length === 0) context.terminal.err('No tools of MCP servers are allowed in this workspace.');
    const lineOf = ({ server, tool, at }: AllowedTool): string => oneLine(`${server}.${tool} ${allowedText(at)}`);
    printEach(context, options, { values, lineOf });
  });
}

type AllowedTool = Awaited<ReturnType<Engine['listAllowedTools']>>[number];

function allowedText(at: number | undefined): string {
  if (at === undefined) return 'allowed by an earlier version; requires approval again';
  return `allowed on ${new Date(at).toISOString().slice(0, 10)}`;
}

/** Revokes the approval of a tool. Exits with 2 if it was not approved. */
export async function withdrawTool(context: CliContext, name: string, options: GlobalOptions): Promise<number> {
  return await withWorkspace(context, options, async (engine) => {
    const allowed = (await engine.listAllowedTools()).find(({ server, tool }) => `${server}.${tool}` === name);
    if (allowed === undefined) throw usageError(`"${name}" is not allowed in this workspace.`);
    await engine.withdrawTool(allowed);
    context.terminal.err(`Calls of ${oneLine(name)} require approval again.`);
    return exitCode.ok;
  });
}

async function readParams({ folder }: CliContext, file: string | undefined): Promise<JsonMap> {
  if (file === undefined) return {};
  const text = file === '-' ? await readAll(process.stdin) : await readFile(resolve(folder, file), 'utf8');
  const read = readExactJson(text);
  const repeated = repeatedKeyProblem(text);
  if (repeated !== undefined) throw usageError(`--params: ${repeated}`);
  if (read.kind === 'value' && isJsonMap(read.value)) return read.value;
  if (read.kind === 'too-deep') throw tooDeepError('--params');
  throw usageError('The arguments of a tool must be a JSON object, such as {"path": "README.md"}.');
}

async function withWorkspace<T>(
  context: CliContext,
  options: GlobalOptions,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { store, trust } = options;
  return await withEngine(context, { workspace: resolveWorkspace(context, options), store, trust }, use);
}
