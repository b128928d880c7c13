/**
 * A tool as a server describes it → as the engine knows tools.
 */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { findNonJson } from '../flowspec/checked-json.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { type ToolDescription, toolNameProblem } from '../kernel/tool-capability.ts';
import { hashOfTool } from './mcp-pins.ts';
import { markedDescription, seenSchema, seenText } from './shown-text.ts';

/** A tool of a server. */
export interface McpTool {
  readonly description: ToolDescription;
  /** As the server calls it. */
  readonly name: string;
  /** Names its present form. */
  readonly hash: string;
}

/** A tool that cannot be used, and why: a sentence. */
export interface UnusableTool {
  readonly problem: string;
}

const longestName = 128;
/** In bytes of JSON. */
const largestSchema = 64 * 1024;
const deepestSchema = 64;

/** Reads what a server says of a tool. */
export function readMcpTool(server: string, tool: Tool): McpTool | UnusableTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const shown = seenText(name, 100);
  if (name.length > longestName) return { problem: `The tool "${shown}" is left out: its name is too long.` };
  const badName = toolNameProblem(`${server}.${name}`);
  if (badName !== undefined) return { problem: `The tool "${shown}" is left out: ${seenText(badName, 500)}` };
  for (const schema of [inputSchema, outputSchema]) {
    if (schema !== undefined && (findNonJson(schema, largestSchema) !== undefined || depthOf(schema) > deepestSchema))
      return { problem: `The tool ${name} is left out: its schema is larger than 64 KiB, or nested too deeply.` };
  }
  return {
    name,
    hash: hashOfTool({ name, title, description, inputSchema, outputSchema, annotations }),
    description: {
      name: `${server}.${name}`,
      ...(title === undefined ? {} : { title: seenText(title, 200) }),
      description: markedDescription(server, description),
      inputSchema: seenSchema(inputSchema as JsonMap),
      ...(outputSchema === undefined ? {} : { outputSchema: seenSchema(outputSchema as JsonMap) }),
      ...traitsOf(annotations ?? {}),
      requiresApproval: false,
      kind: 'mcp',
      source: server,
    },
  };
}

/**
 * What the hints of a server mean (https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations). One that is not
 * given counts as the worse; none says whether a tool sees private data or gives what strangers have written.
 */
function traitsOf(hints: NonNullable<Tool['annotations']>): Pick<ToolDescription, 'effects' | 'risk' | 'tags'> {
  const isReading = hints.readOnlyHint === true;
  const isDestructive = !isReading && hints.destructiveHint !== false;
  return {
    effects: isReading || hints.idempotentHint === true ? 'idempotent' : 'external',
    risk: isReading ? 'low' : isDestructive ? 'high' : 'medium',
    tags: {
      accessesPrivateData: true,
      receivesUntrustedInput: true,
      communicatesExternally: hints.openWorldHint !== false,
    },
  };
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
