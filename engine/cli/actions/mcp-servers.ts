/**
 * Implements `mcp servers`.
 */
import type { Engine } from '../../index.ts';
import { EngineError } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { oneLine } from '../progress/phrases.ts';
import { withEngine } from './with-engine.ts';
import { printEach } from './with-packs.ts';

type ServerState = Awaited<ReturnType<Engine['listMcpServers']>>[number];

/**
 * Starts each server in `.mcp.json` and lists it with its tools. Starts no server in an untrusted workspace.
 * @returns the exit code, which reports a failure if a server did not start
 */
export async function showMcpServers(context: CliContext, options: GlobalOptions): Promise<number> {
  const workspace = resolveWorkspace(context, options);
  const { store, trust, json } = options;
  return await withEngine(context, { workspace, store, trust }, async (engine) => {
    const states = await startMcpServers(engine);
    if (states.length === 0 && json !== true)
      context.terminal.err('This workspace has no MCP servers: .mcp.json does not exist.');
    printEach(context, { json }, { values: states, lineOf: (state) => textOf(state, context) });
    return states.some(({ state }) => state === 'failed') ? exitCode.failed : exitCode.ok;
  });
}

/**
 * Starts the workspace's servers that are allowed to run and are not running yet.
 * @param only name of the only server to start
 * @returns the resulting state of all servers
 */
export async function startMcpServers(engine: Engine, only?: string): Promise<readonly ServerState[]> {
  const named = await engine.listMcpServers();
  await Promise.all(
    named.map(async ({ name, state }) => {
      const isWanted = state === 'idle' && (only === undefined || name === only);
      if (isWanted) await engine.restartMcpServer(name).catch(refuseBugs);
    }),
  );
  return await engine.listMcpServers();
}

/** Rethrows bugs. Expected failures are part of the server's state. */
function refuseBugs(error: unknown): void {
  if (!EngineError.is(error)) throw error;
}

function textOf({ title, state, target, error, tools, problems }: ServerState, { terminal }: CliContext): string {
  const { colors } = terminal;
  const painted =
    state === 'running' ? colors.green(state) : state === 'failed' ? colors.red(state) : colors.yellow(state);
  const head = `${oneLine(title)}  ${painted}  ${colors.dim(oneLine(target))}`;
  const notes = [...(error === undefined ? [] : [error]), ...problems].map((note) => `    ${oneLine(note)}`);
  const agreed = (tool: ServerState['tools'][number]): string =>
    tool.pinned
      ? ''
      : colors.yellow(
          tool.changed ? '  (changed: requires approval again)' : '  (requires approval at the first call)',
        );
  const lines = tools.map((tool) => `    ${tool.name}${agreed(tool)}`);
  return [head, ...notes, ...lines].join('\n');
}
