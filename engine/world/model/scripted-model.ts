/**
 * A model without a network: a YAML file of patterns and replies, streamed at a set pace. Intended for examples, tests
 * and demos.
 */
import { parse, YAMLError } from 'yaml';
import { z } from 'zod';
import { Breather } from '../../base/breather.ts';
import { type Clock, passTime } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { parserErrorText } from '../../base/json-limits.ts';
import { late } from '../../base/late.ts';
import { compilePattern } from '../../base/pattern/pattern.ts';
import type { FilesCapability, FileText } from '../../runtime/kernel/capabilities/files-capability.ts';
import { toolOfWire, wireName } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { ModelMessage, ModelReply } from '../../runtime/kernel/models/model-capability.ts';
import type { ModelToolCall } from '../../runtime/kernel/models/model-tools.ts';
import { createWorkspaceFiles } from '../files/workspace-files.ts';
import type { AskOptions, ModelProvider } from './model-provider.ts';

const usage = () =>
  z.strictObject({
    promptTokens: z.number().int().nonnegative(),
    completionTokens: z.number().int().nonnegative(),
    cachedTokens: z.exactOptional(z.number().int().nonnegative()),
    cacheCreationTokens: z.exactOptional(z.number().int().nonnegative()),
    reasoningTokens: z.exactOptional(z.number().int().nonnegative()),
  });
const call = () =>
  z.strictObject({
    /** The name as people write it. */
    tool: z.string().min(1),
    /** Any value is accepted, because models produce any value. A string is returned as text that is not JSON. */
    input: z.json().default({}),
  });
/**
 * What the pattern is matched against: the last user message, or the latest result of the tool that `afterTool` names.
 */
const asked = { match: z.string().optional(), afterTool: z.string().min(1).optional() };
const shape =
  'must be { match, reply, usage? }, { match, calls: [{ tool, input }], reply?, usage? } or { match, error }, where match is a regular expression; with { afterTool } it replies to the result of a tool, and match is optional';
const scriptFile = late(() =>
  z.strictObject({
    /** Milliseconds before each piece. */
    paceMs: z.number().int().min(0).max(60_000).default(0),
    /** Number of characters per piece. */
    chunkChars: z.number().int().min(1).default(16),
    replies: z.array(
      z
        .union(
          [
            z.strictObject({ ...asked, reply: z.string(), usage: usage().optional() }),
            z.strictObject({
              ...asked,
              calls: z.array(call()).min(1),
              reply: z.string().default(''),
              usage: usage().optional(),
            }),
            z.strictObject({ ...asked, error: z.string() }),
          ],
          { error: shape },
        )
        .refine(({ match, afterTool }) => match !== undefined || afterTool !== undefined, { error: shape }),
    ),
  }),
);

type Script = z.infer<ReturnType<typeof scriptFile>>;

/**
 * Creates the provider `scripted`. Its models are paths of script files, in the folder that the request names or
 * otherwise in the workspace. Paths outside of both are rejected.
 */
export function createScriptedModel(world: {
  readonly files: Pick<FilesCapability, 'readText'>;
  readonly clock: Clock;
}): ModelProvider {
  return {
    async ask({ model: path, messages, scriptedBase }, options) {
      const { text } = await readFrom(scriptedBase, path, { files: world.files, signal: options.signal });
      return await answer({ path, script: readScript(path, text), clock: world.clock }, messages, options);
    },
  };
}

interface ScriptFileAccess {
  readonly files: Pick<FilesCapability, 'readText'>;
  readonly signal: AbortSignal;
}

/**
 * A script may be in the workspace if the folder has none, because workspace settings may name one script for all
 * agents.
 */
async function readFrom(
  base: string | undefined,
  path: string,
  { files, signal }: ScriptFileAccess,
): Promise<FileText> {
  if (base === undefined) return await files.readText(path, signal);
  try {
    return await createWorkspaceFiles(base).readText(path, signal);
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'files.not-found') throw error;
    return await files.readText(path, signal);
  }
}

interface Speaker {
  readonly path: string;
  readonly script: Script;
  readonly clock: Clock;
}

async function answer(
  { path, script, clock }: Speaker,
  messages: readonly ModelMessage[],
  { signal, onText }: AskOptions,
): Promise<ModelReply> {
  const line = await findReply({ path, script, clock }, saidLast(messages), signal);
  if ('error' in line) throw new EngineError({ code: 'model.rejected', message: line.error });
  for (const piece of piecesOf(line.reply, script.chunkChars)) {
    if (script.paceMs > 0) await passTime(clock, script.paceMs, signal);
    signal.throwIfAborted();
    onText(piece);
  }
  return {
    text: line.reply,
    finishReason: 'calls' in line ? 'tool-calls' : 'stop',
    ...(line.usage === undefined ? {} : { usage: line.usage }),
    ...('calls' in line ? { toolCalls: toolCallsOf(line.calls, messages) } : {}),
  };
}

/** Equal conversations result in equal IDs. */
function toolCallsOf(
  calls: readonly z.infer<ReturnType<typeof call>>[],
  messages: readonly ModelMessage[],
): ModelToolCall[] {
  const former = messages.filter(({ role }) => role === 'tool').length;
  return calls.map(({ tool, input }, index) => ({ id: `call-${former + index}`, name: wireName(tool), input }));
}

/** A message or tool result to respond to. */
interface ScriptedPrompt {
  /** The tool's name as models see it; absent for a user message. */
  readonly tool?: string;
  readonly text: string;
}

/** Returns the results of the most recent tool calls, or otherwise the last user message. */
function saidLast(messages: readonly ModelMessage[]): readonly ScriptedPrompt[] {
  const results = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
  const given = results.flatMap((result) =>
    result.role === 'tool' ? [{ tool: result.toolName, text: result.content }] : [],
  );
  return given.length > 0 ? given : [{ text: messages.findLast(({ role }) => role === 'user')?.content ?? '' }];
}

type ScriptedReply = Script['replies'][number];

/** Returns the first reply with a matching pattern. Yields to other work in between, however much there is to match. */
async function findReply(
  { path, script, clock }: Speaker,
  said: readonly ScriptedPrompt[],
  signal: AbortSignal,
): Promise<ScriptedReply> {
  const breather = new Breather(clock);
  const search = matchReplies(path, script.replies, said);
  for (let next = search.next(); ; next = search.next()) {
    if (next.done === true) return next.value;
    if (!breather.isDue()) continue;
    await breather.rest();
    signal.throwIfAborted();
  }
}

function textsFor({ afterTool }: ScriptedReply, said: readonly ScriptedPrompt[]): readonly string[] {
  const wanted = afterTool === undefined ? undefined : wireName(afterTool);
  return said.flatMap(({ tool, text }) => (tool === wanted ? [text] : []));
}

function* matchReplies(
  path: string,
  replies: readonly ScriptedReply[],
  said: readonly ScriptedPrompt[],
): Generator<unknown, ScriptedReply> {
  let found: ScriptedReply | undefined;
  // Reports an invalid pattern even after the reply that matches.
  for (const [index, reply] of replies.entries()) {
    yield;
    const pattern = compilePattern(reply.match ?? '');
    if ('problem' in pattern) {
      throw brokenPattern(path, index, pattern.problem);
    }
    const texts = found === undefined ? textsFor(reply, said) : [];
    for (const text of texts) if (yield* pattern.matches(text)) found = reply;
  }
  if (found === undefined) throw noReply(path, replies, said);
  return found;
}

/** Splits between code points, so that no piece ends within a character. */
function* piecesOf(text: string, size: number): Generator<string> {
  const characters = Array.from(text);
  for (let start = 0; start < characters.length; start += size) {
    yield characters.slice(start, start + size).join('');
  }
}

function readScript(path: string, text: string): Script {
  const result = scriptFile().safeParse(parseYaml(path, text));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.') || 'the file'} ${issue.message}`);
  throw badScript(path, problems.join('; '));
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text, { version: '1.2', logLevel: 'error' });
  } catch (error) {
    const place = error instanceof YAMLError ? `line ${error.linePos?.[0].line ?? 1}: ` : '';
    const [firstLine] = parserErrorText(error).split('\n');
    throw badScript(path, `${place}${firstLine}`);
  }
}

function brokenPattern(path: string, index: number, problem: string): EngineError {
  return badScript(path, `replies.${index}.match must be a regular expression; this one ${problem}`);
}

function badScript(path: string, problem: string): EngineError {
  return new EngineError({ code: 'model.bad-script', message: `${path} is not a scripted model: ${problem}` });
}

/** Limits on the number of patterns named in a message, and on the length of each text. */
const mostNamed = 8;
const mostCharacters = 80;

function noReply(path: string, replies: readonly ScriptedReply[], said: readonly ScriptedPrompt[]): EngineError {
  const patterns = replies.map(patternText);
  const named = patterns.slice(0, mostNamed).map((pattern) => quoted(pattern));
  const more = patterns.length - named.length;
  const known =
    named.length === 0
      ? 'It has no replies.'
      : `Its patterns: ${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`;
  const [{ tool, text } = { tool: undefined, text: '' }] = said;
  const asked = tool === undefined ? quoted(text) : `${quoted(text)}, the result of ${toolOfWire(tool)}`;
  const help =
    tool === undefined
      ? 'Add one that matches, or end the list with match: ".*", which matches everything else.'
      : `Add one with afterTool: ${toolOfWire(tool)}, which replies to results of this tool.`;
  return new EngineError({
    code: 'model.no-reply',
    message: `${path} has no reply that matches ${asked}. ${known} ${help}`,
    details: { patterns },
  });
}

function patternText({ match = '', afterTool }: ScriptedReply): string {
  return afterTool === undefined ? match : `${match} after ${afterTool}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);
}

/**
 * Returns a sentence about what is wrong with a script; undefined if it is valid. Compiles the patterns but does not
 * run them.
 * @param path used in the sentence
 */
export function scriptProblem(path: string, text: string): string | undefined {
  try {
    const broken = readScript(path, text).replies.flatMap(({ match = '' }, index) => {
      const pattern = compilePattern(match);
      return 'problem' in pattern ? [brokenPattern(path, index, pattern.problem)] : [];
    });
    return broken[0]?.message;
  } catch (error) {
    return toErrorRecord(error).message;
  }
}
