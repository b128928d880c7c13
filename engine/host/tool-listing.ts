/**
 * The tools of a workspace for people: all of them, who uses each, and trying one.
 */
import type { Clock } from '../base/clock.ts';
import type { IdSource, SessionId } from '../base/ids.ts';
import { readFlowText } from '../files/read-flow.ts';
import { readTextFile } from '../files/read-text.ts';
import { findFiles } from '../files/walk-files.ts';
import { resolveInWorkspace } from '../files/workspace-path.ts';
import { isJsonList, type JsonMap } from '../flowspec/json-value.ts';
import { parseFlow } from '../flowspec/parse-flow.ts';
import { createHub } from '../kernel/hub.ts';
import type { ToolDescription, ToolResult } from '../kernel/tool-capability.ts';
import type { ToolService } from './tool-service.ts';

/** A tool as a person looks at it. */
export interface ToolListing extends ToolDescription {
  /** Why it cannot be called, such as a manifest that is none; `place` as `<file>:<line>`, where it is known. */
  readonly problem?: { readonly message: string; readonly place?: string };
  /** Files of the workspace whose flows and agents name it. */
  readonly usedBy: readonly string[];
}

/** A call that a person makes to see what comes of it. */
export interface ToolTrial {
  readonly tool: string;
  readonly params: JsonMap;
  /** The person has agreed to this call: what would ask before it does not. */
  readonly isAgreed?: true;
}

/** The part of an engine that knows of tools. */
export interface ToolEngine {
  /** By name. Starts no servers: those that have not been asked yet have no tools here. */
  listTools(): Promise<readonly ToolListing[]>;
  /** Calls a tool once, outside of any run; nothing of it is recorded. What is wrong with the call or the tool is part of the result. */
  tryTool(trial: ToolTrial): Promise<ToolResult>;
}

export interface ToolListingOptions {
  /** Absolute. */
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
      // A person may try what only a product may call.
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

/** More files are not looked into, and none that is larger: a list for a person must be there soon. */
const mostFiles = 300;
const maxFileBytes = 512 * 1024;

/** By file: the tools that it names, as they stand there. */
type Uses = ReadonlyMap<string, ReadonlySet<string>>;

async function usesIn(workspace: string): Promise<Uses> {
  const { paths } = await findFiles(workspace);
  const callers = paths.filter((path) => /\.flow\.ya?ml$|\.aip$/.test(path)).slice(0, mostFiles);
  const named = await Promise.all(callers.map(async (path) => [path, await namedIn(workspace, path)] as const));
  return new Map(named.filter(([, names]) => names.size > 0));
}

/** Nothing of what cannot be read, or lies elsewhere by way of a link. */
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
  // Reading a flow as a whole takes a millisecond or more, and many name no tool at all.
  if (!text.includes('tool')) return new Set();
  const names = (parseFlow(text).doc?.nodes ?? []).flatMap(({ config }) => {
    const { tool, tools } = config ?? {};
    return [tool, ...(tools !== undefined && isJsonList(tools) ? tools : [])];
  });
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** Of an agent the option `tools`, a list in one line or over several. */
function namedInAgent(text: string): ReadonlySet<string> {
  const [, list = ''] = /^[ \t]*"?tools"?[ \t]*[:=][ \t]*\[([^\]]*)\]/m.exec(text) ?? [];
  return new Set([...list.matchAll(/[\w.*-]+/g)].map(([name]) => name));
}

function usersOf(tool: string, uses: Uses): readonly string[] {
  const parts = tool.split('.');
  const groups = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`);
  return [...uses].flatMap(([path, names]) => ([tool, ...groups].some((name) => names.has(name)) ? [path] : []));
}
