/**
 * Tools of an engine.
 */
import type { Clock } from '../base/clock.ts';
import type { SharedCapabilities } from '../kernel/capabilities.ts';
import type { ToolDescription, ToolsCapability } from '../kernel/tool-capability.ts';
import type { ToolSource } from '../tools/tool-source.ts';

interface ToolServiceOptions extends Pick<SharedCapabilities, 'files' | 'web' | 'answers' | 'governance'> {
  /** Absolute. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Of MCP servers. */
  readonly mcp: ToolSource;
}

export interface ToolService extends ToolsCapability {
  /** All there are. */
  list(): Promise<readonly ToolDescription[]>;
}

/** Makes the tools. Nothing is loaded before the first is asked for. */
export function createToolService(options: ToolServiceOptions): ToolService {
  let loading: Promise<ToolService> | undefined;
  const load = (): Promise<ToolService> => {
    loading ??= makeTools(options);
    return loading;
  };
  return {
    describe: async (names) => await (await load()).describe(names),
    call: async (call, scope) => await (await load()).call(call, scope),
    list: async () => await (await load()).list(),
  };
}

async function makeTools(options: ToolServiceOptions): Promise<ToolService> {
  const { workspace, clock, files, web, answers, governance, mcp } = options;
  const [{ createCoreTools }, { filesOfWorkspace }, { createToolExecutor }, { joinSources }] = await Promise.all([
    import('../tools/core-tools.ts'),
    import('../tools/workspace-core-tools.ts'),
    import('../tools/tool-executor.ts'),
    import('../tools/tool-source.ts'),
  ]);
  const source = joinSources([createCoreTools({ files, web, ...filesOfWorkspace(workspace, clock) }), mcp]);
  const executor = createToolExecutor({ source, answers, governance });
  return { ...executor, list: async () => (await source.list()).map(({ description }) => description) };
}
