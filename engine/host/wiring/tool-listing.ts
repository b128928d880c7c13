/**
 * Provides a workspace's tools for users: lists all tools and their uses, and calls a tool once.
 */
import type { Clock } from '../../base/clock.ts';
import type { IdSource, SessionId } from '../../base/ids.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { isJsonList, type JsonMap } from '../../language/json/json-value.ts';
import type { ToolDescription, ToolResult } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import { readFlowText } from '../../world/files/read-flow.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { findFiles } from '../../world/files/walk-files.ts';
import { resolveInWorkspace } from '../../world/files/workspace-path.ts';
import type { ToolService } from './tool-service.ts';

/** A tool for display. */
export interface ToolListing extends ToolDescription {
  /** Why it cannot be called, such as an invalid manifest; `place` is `<file>:<line>`, if known. */
  readonly problem?: { readonly message: string; readonly place?: string };
  /** Workspace files with flows and agents that reference the tool. */
  readonly usedBy: readonly string[];
}

/** A call by a user to see its result. */
export interface ToolTrial {
  readonly tool: string;
  readonly params: JsonMap;
  /** Whether the user has approved this call, so that it does not request approval. */
  readonly isAgreed?: true;
}

/** The part of an engine that handles tools. */
export interface ToolEngine {
  /** Lists tools by name. Starts no servers, so servers that have not been started yet have no tools here. */
  listTools(): Promise<readonly ToolListing[]>;
  /** Calls a tool once, outside of runs; nothing is recorded. Errors of the call or the tool are part of the result. */
  tryTool(trial: ToolTrial): Promise<ToolResult>;
}

export interface ToolListingOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly tools: ToolService;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
}

export function createToolEngine({ workspace, tools, clock, ids, sessionId }: ToolListingOptions): ToolEngine {
  return {
    async listTools() {
      const [all, broken, uses] = await Promise.all([tools.list(), tools.listBroken(), usesIn(workspace)]);
      return [...all, ...broken]
        .map((tool) => ({ ...tool, usedBy: usersOf(tool.name, uses) }))
        .sort((left, right) => (left.name < right.name ? -1 : 1));
    },
    async tryTool({ tool, params, isAgreed }) {
      const runId = ids.runId();
      const { hub: plain, close } = createHub({ runId, sessionId, clock });
      // A user may try a tool that only a product may call.
      const [known] = await tools.describe([tool]).catch(() => []);
      const hub = plain.with({ product: known?.product });
      const ask = async () => ({ payload: { approved: true }, at: clock.now() });
      try {
        return await tools.call(
          { tool, params, callKey: 'trial', mayAsk: isAgreed === true },
          {
            ...{ hub, clock, runId, depth: 0, isDry: false, signal: new AbortController().signal },
            ...(isAgreed === true ? { ask } : {}),
          },
        );
      } finally {
        close();
      }
    },
  };
}

/** Maximum number and size of files to search. They are limited because a list for users must be available quickly. */
const mostFiles = 300;
const maxFileBytes = 512 * 1024;

/** The tools that each file references, as written. */
type Uses = ReadonlyMap<string, ReadonlySet<string>>;

async function usesIn(workspace: string): Promise<Uses> {
  const { paths } = await findFiles(workspace);
  const callers = paths.filter((path) => /\.flow\.ya?ml$|\.aip$/.test(path)).slice(0, mostFiles);
  const named = await Promise.all(callers.map(async (path) => [path, await namedIn(workspace, path)] as const));
  return new Map(named.filter(([, names]) => names.size > 0));
}

/** Skips files that cannot be read or are symbolic links to other locations. */
async function namedIn(workspace: string, path: string): Promise<ReadonlySet<string>> {
  try {
    const { real } = await resolveInWorkspace(workspace, path);
    if (path.endsWith('.aip'))
      return namedInAgent(await readTextFile(real, { maxBytes: maxFileBytes, shownPath: path }));
    return namedInFlow(await readFlowText(real, { maxLength: maxFileBytes, shownPath: path }));
  } catch {
    return new Set();
  }
}

function namedInFlow(text: string): ReadonlySet<string> {
  // Parsing a whole flow takes a millisecond or more, and many use no tool at all.
  if (!text.includes('tool')) return new Set();
  const names = (parseFlow(text).doc?.nodes ?? []).flatMap(({ config }) => {
    const { tool, tools } = config ?? {};
    return [tool, ...(tools !== undefined && isJsonList(tools) ? tools : [])];
  });
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** Returns an agent's option `tools`, which is a list on one or several lines. */
function namedInAgent(text: string): ReadonlySet<string> {
  const [, list = ''] = /^[ \t]*"?tools"?[ \t]*[:=][ \t]*\[([^\]]*)\]/m.exec(text) ?? [];
  return new Set([...list.matchAll(/[\w.*-]+/g)].map(([name]) => name));
}

function usersOf(tool: string, uses: Uses): readonly string[] {
  const parts = tool.split('.');
  const groups = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`);
  return [...uses].flatMap(([path, names]) => ([tool, ...groups].some((name) => names.has(name)) ? [path] : []));
}
