/**
 * Records and replays the tools of MCP servers: what they are, and their calls. A replay starts no server. Other tools
 * run in this program, and what they call outside is recorded as itself.
 */
import { z } from 'zod';
import { unreadable } from '../../history/cassette/cassette-error.ts';
import type { CassettePlayer } from '../../history/cassette/cassette-player.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { type ToolDescription, toolKinds } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { type ToolErrorCategory, toolErrorCategories } from '../../runtime/kernel/events/tool-event.ts';
import { type RunnableTool, type ToolContext, ToolFailure, type ToolSource } from '../../world/tools/tool-source.ts';

const jsonMap = z.record(z.string(), z.json());
const description = z.object({
  name: z.string().min(1),
  title: z.exactOptional(z.string()),
  description: z.string(),
  inputSchema: jsonMap,
  outputSchema: z.exactOptional(jsonMap),
  effects: z.enum(['idempotent', 'external']),
  risk: z.enum(['low', 'medium', 'high']),
  requiresApproval: z.boolean(),
  tags: z.object({
    accessesPrivateData: z.boolean(),
    receivesUntrustedInput: z.boolean(),
    communicatesExternally: z.boolean(),
  }),
  kind: z.enum(toolKinds),
  source: z.string(),
});
const recordedTools = z.array(description);

const recordedCall = z.union([
  z.object({ result: z.json(), metadata: z.exactOptional(jsonMap) }),
  z.object({
    failure: z.object({ category: z.enum(toolErrorCategories), message: z.string(), retryable: z.boolean() }),
    metadata: z.exactOptional(jsonMap),
  }),
]);
type RecordedCall = { readonly metadata?: JsonMap } & (
  | { readonly result: JsonValue }
  | {
      readonly failure: { readonly category: ToolErrorCategory; readonly message: string; readonly retryable: boolean };
    }
);

/** The tools of MCP servers. */
interface ServerTools extends ToolSource {
  /** Returns the names of the servers without starting any. */
  serverNames(): Promise<readonly string[]>;
}

const never = new AbortController().signal;

/**
 * Wraps a source of tools with a cassette. Descriptions are recorded once for each name or group. Unless everything is
 * replayed, the tools are looked up live as well, because a person's consent belongs to their current form.
 */
export function createCassetteTools<Source extends ServerTools>(live: Source, player: CassettePlayer): Source {
  const found = new Map<string, Promise<readonly RunnableTool[]>>();
  /** @param look returns the live tools, without which nothing is recorded */
  const lookUp = (request: JsonMap, look: () => Promise<readonly RunnableTool[]>): Promise<readonly RunnableTool[]> => {
    const key = JSON.stringify(request);
    const known = found.get(key) ?? read(request, look);
    found.set(key, known);
    known.catch(() => found.delete(key));
    return known;
  };
  const read = async (request: JsonMap, look: () => Promise<readonly RunnableTool[]>) => {
    const tools = player.mode === 'replay' ? [] : await look();
    const described = await player.call<readonly ToolDescription[]>({
      kind: 'tools',
      title: `tools ${JSON.stringify(request)}`,
      request,
      signal: never,
      recordedErrors: new Set(),
      live: async () => tools.map((tool) => tool.description),
      write: (all) => all.map((one) => ({ ...one }) as unknown as JsonMap),
      read: (recorded) => readDescriptions(recorded, player.file),
    });
    return tools.length > 0 ? tools.map((tool) => wrap(tool)) : described.map((one) => wrap(recordedTool(one)));
  };
  const wrap = (tool: RunnableTool): RunnableTool => ({
    ...tool,
    run: (params, context) => callTool(player, tool, params, context),
  });
  const isOfServer = async (name: string): Promise<boolean> => {
    const names = await live.serverNames();
    return names.some((server) => name === server || name.startsWith(`${server}.`));
  };
  return {
    ...live,
    list: async (group) => {
      // Known without starting anything, and only for messages about unknown names.
      if (group === undefined || !(await isOfServer(group))) return await live.list(group);
      return await lookUp({ group }, () => live.list(group));
    },
    async find(name) {
      if (!(await isOfServer(name))) return await live.find(name);
      const [tool] = await lookUp({ name }, async () => {
        const one = await live.find(name);
        return one === undefined ? [] : [one];
      });
      return tool;
    },
  };
}

/** Returns a tool that is known only from the recording. */
function recordedTool(one: ToolDescription): RunnableTool {
  const message = `Tool "${one.name}" is only known from the recording: its server is not there.`;
  return { description: one, run: () => Promise.reject(new ToolFailure('not_found', message)) };
}

async function callTool(
  player: CassettePlayer,
  tool: RunnableTool,
  params: JsonMap,
  context: ToolContext,
): Promise<JsonValue> {
  const { secrets, signal } = context;
  const { name } = tool.description;
  const masked = <Value>(value: Value): Value => (secrets === undefined ? value : secrets.mask(value));
  const called = await player.call<RecordedCall & { readonly isReplayed?: true }>({
    kind: 'mcp',
    title: name,
    request: { tool: name, arguments: masked(params) },
    signal,
    recordedErrors: new Set(),
    live: () => callLive(tool, params, context).then(masked),
    write: (reply) => reply as unknown as JsonValue,
    read: (recorded) => ({ ...readCall(recorded, player.file), isReplayed: true }),
  });
  if (called.metadata !== undefined && called.isReplayed === true) context.note(called.metadata);
  if ('result' in called) return called.result;
  const { category, message, retryable } = called.failure;
  throw new ToolFailure(category, message, { isRetryable: retryable });
}

async function callLive(tool: RunnableTool, params: JsonMap, context: ToolContext): Promise<RecordedCall> {
  let noted: JsonMap | undefined;
  const noting = {
    ...context,
    note(metadata: JsonMap) {
      noted = { ...noted, ...metadata };
      context.note(metadata);
    },
  };
  const withNotes = () => (noted === undefined ? {} : { metadata: noted });
  try {
    return { result: await tool.run(params, noting), ...withNotes() };
  } catch (thrown) {
    if (!(thrown instanceof ToolFailure) || context.signal.aborted) throw thrown;
    const { category, message, isRetryable: retryable } = thrown;
    return { failure: { category, message, retryable }, ...withNotes() };
  }
}

function readDescriptions(recorded: JsonValue, file: string): readonly ToolDescription[] {
  const checked = recordedTools.safeParse(recorded);
  if (checked.success) return checked.data as readonly ToolDescription[];
  throw unreadable(file, 'the response of a tools entry must be a list of tool descriptions');
}

function readCall(recorded: JsonValue, file: string): RecordedCall {
  const checked = recordedCall.safeParse(isJsonMap(recorded) ? recorded : undefined);
  if (checked.success) return checked.data as RecordedCall;
  throw unreadable(file, 'the response of an mcp call needs result, or failure with category, message and retryable');
}
