/**
 * A model without a network: a YAML file of patterns and replies, streamed at a set pace. For examples, tests and demos.
 */
import { parse, YAMLError } from 'yaml';
import { z } from 'zod';
import { Breather } from '../base/breather.ts';
import { type Clock, sleep } from '../base/clock.ts';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import { compilePattern } from '../base/pattern/pattern.ts';
import { createWorkspaceFiles } from '../files/workspace-files.ts';
import type { ModelMessage, ModelReply } from '../kernel/capabilities.ts';
import type { FilesCapability, FileText } from '../kernel/files-capability.ts';
import type { AskOptions, ModelProvider } from './model-provider.ts';

const usage = z.strictObject({
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
  cachedTokens: z.exactOptional(z.number().int().nonnegative()),
  cacheCreationTokens: z.exactOptional(z.number().int().nonnegative()),
  reasoningTokens: z.exactOptional(z.number().int().nonnegative()),
});
const scriptFile = z.strictObject({
  /** Milliseconds before each piece. */
  paceMs: z.number().int().min(0).max(60_000).default(0),
  /** Characters of a piece. */
  chunkChars: z.number().int().min(1).default(16),
  replies: z.array(
    z.union(
      [
        z.strictObject({ match: z.string(), reply: z.string(), usage: usage.optional() }),
        z.strictObject({ match: z.string(), error: z.string() }),
      ],
      {
        error: 'must be { match, reply, usage? } or { match, error }, where match is a regular expression',
      },
    ),
  ),
});

type Script = z.infer<typeof scriptFile>;

/**
 * Makes the provider `scripted`: its models are paths of script files, in the folder that the request names or else in the
 * workspace. Paths that lead out of both are refused.
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

interface Reading {
  readonly files: Pick<FilesCapability, 'readText'>;
  readonly signal: AbortSignal;
}

/** What the folder does not have may be in the workspace: settings there may name a script for all agents. */
async function readFrom(base: string | undefined, path: string, { files, signal }: Reading): Promise<FileText> {
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
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const line = await findReply({ path, script, clock }, question, signal);
  if ('error' in line) throw new EngineError({ code: 'model.rejected', message: line.error });
  for (const piece of piecesOf(line.reply, script.chunkChars)) {
    if (script.paceMs > 0) await sleep(clock, script.paceMs, signal);
    signal.throwIfAborted();
    onText(piece);
  }
  return { text: line.reply, finishReason: 'stop', ...(line.usage === undefined ? {} : { usage: line.usage }) };
}

type Reply = Script['replies'][number];

/** The first whose pattern matches. Others have their turn meanwhile, however much there is to match. */
async function findReply({ path, script, clock }: Speaker, question: string, signal: AbortSignal): Promise<Reply> {
  const breather = new Breather(clock);
  const search = matchReplies(path, script.replies, question);
  for (let next = search.next(); ; next = search.next()) {
    if (next.done === true) return next.value;
    if (!breather.isDue()) continue;
    await breather.rest();
    signal.throwIfAborted();
  }
}

function* matchReplies(path: string, replies: readonly Reply[], question: string): Generator<unknown, Reply> {
  let found: Reply | undefined;
  // A mistake behind the reply that matches is told as well.
  for (const [index, reply] of replies.entries()) {
    yield;
    const pattern = compilePattern(reply.match);
    if ('problem' in pattern) {
      throw brokenPattern(path, index, pattern.problem);
    }
    if (found === undefined && (yield* pattern.matches(question))) found = reply;
  }
  if (found === undefined) throw noReply(path, replies, question);
  return found;
}

/** Cuts between code points, so that no piece ends in half a character. */
function* piecesOf(text: string, size: number): Generator<string> {
  const characters = Array.from(text);
  for (let start = 0; start < characters.length; start += size) {
    yield characters.slice(start, start + size).join('');
  }
}

function readScript(path: string, text: string): Script {
  const result = scriptFile.safeParse(parseYaml(path, text));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.') || 'the file'} ${issue.message}`);
  throw badScript(path, problems.join('; '));
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text, { version: '1.2', logLevel: 'error' });
  } catch (error) {
    const place = error instanceof YAMLError ? `line ${error.linePos?.[0].line ?? 1}: ` : '';
    const [firstLine] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw badScript(path, `${place}${firstLine}`);
  }
}

function brokenPattern(path: string, index: number, problem: string): EngineError {
  return badScript(path, `replies.${index}.match must be a regular expression; this one ${problem}`);
}

function badScript(path: string, problem: string): EngineError {
  return new EngineError({ code: 'model.bad-script', message: `${path} is not a scripted model: ${problem}` });
}

/** So many patterns are named in a message, and so much of each text. */
const mostNamed = 8;
const mostCharacters = 80;

function noReply(path: string, replies: readonly Reply[], question: string): EngineError {
  const patterns = replies.map(({ match }) => match);
  const named = patterns.slice(0, mostNamed).map((pattern) => quoted(pattern));
  const more = patterns.length - named.length;
  const known =
    named.length === 0
      ? 'It has no replies at all.'
      : `Its patterns: ${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`;
  return new EngineError({
    code: 'model.no-reply',
    message: `${path} has no reply that matches ${quoted(question)}. ${known} Add one that fits, or end the list with match: ".*", which takes everything else.`,
    details: { patterns },
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);
}

/**
 * What is wrong with a script, in a sentence; undefined = it can answer. Patterns are compiled, none is matched.
 * @param path for the sentence
 */
export function scriptProblem(path: string, text: string): string | undefined {
  try {
    const broken = readScript(path, text).replies.flatMap(({ match }, index) => {
      const pattern = compilePattern(match);
      return 'problem' in pattern ? [brokenPattern(path, index, pattern.problem)] : [];
    });
    return broken[0]?.message;
  } catch (error) {
    return toErrorRecord(error).message;
  }
}
