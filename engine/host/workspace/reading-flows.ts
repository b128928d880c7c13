/**
 * Determines which flows, tools and nodes are read-only, which means that they change nothing outside the run.
 */

import { parseFlow } from '../../language/flow/parse-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { ToolsCapability } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { readingMethods } from '../../runtime/nodes/http-request/http-request-type.ts';
import type { NodeRegistry } from '../../runtime/nodes/node-registry.ts';

export interface ReadingWorld {
  readonly registry: Pick<NodeRegistry, 'get'>;
  readonly tools: Pick<ToolsCapability, 'describe'>;
}

/**
 * Returns whether no node in a flow changes anything outside the run, whatever its inputs are. False if this is
 * unknown.
 */
export async function isReadingFlow(text: string, world: ReadingWorld): Promise<boolean> {
  const { doc } = parseFlow(text);
  if (doc === null) return false;
  for (const { type, input = {}, config = {} } of doc.nodes)
    if (!(await isReadingNode(type, { input: mapOf(input), config: mapOf(config) }, world))) return false;
  return true;
}

/** Returns whether a tool can be called any number of times without risk, according to its manifest or server. */
export async function isReadingTool(name: string, { tools }: ReadingWorld): Promise<boolean> {
  try {
    const [tool] = await tools.describe([name]);
    return tool !== undefined && tool.effects === 'idempotent' && tool.risk === 'low' && !tool.requiresApproval;
  } catch {
    // A missing tool is reported when the flow runs.
    return false;
  }
}

/** Returns whether a web request is read-only, based on its input. */
export function isReadingRequest(nodeType: string, input: JsonValue | undefined): boolean {
  const { method = 'GET', saveTo } = mapOf(input);
  return nodeType === 'http.request' && saveTo === undefined && readingMethods.has(String(method));
}

async function isReadingNode(
  type: string,
  { input, config }: { readonly input: JsonMap; readonly config: JsonMap },
  world: ReadingWorld,
): Promise<boolean> {
  switch (type) {
    case 'file.read':
    case 'script.js':
      return true;
    case 'http.request':
      return isReadingRequest(type, input);
    case 'prompt':
      return config['tools'] === undefined;
    case 'tool':
      return typeof config['tool'] === 'string' && (await isReadingTool(config['tool'], world));
    case 'flow':
      // The nodes of called flows are not checked.
      return false;
    default:
      return world.registry.get(type)?.effects === 'pure';
  }
}

function mapOf(value: unknown): JsonMap {
  return isJsonMap(value as JsonValue) ? (value as JsonMap) : {};
}
