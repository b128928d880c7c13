/**
 * Implements `chat`: holds a conversation in the terminal, or replays a script.
 */
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ChatTurns } from '../../evaluation/chat-turns.ts';
import type { ConversationNotice, Engine } from '../../index.ts';
import {
  asSessionId,
  type ChatTurn,
  EngineError,
  MAX_FLOW_TEXT_LENGTH,
  missedExpectations,
  parseChatScript,
  type RunId,
  renderDiagnostic,
  type SessionEnvelope,
  type SessionId,
} from '../../isomorphic.ts';
import { readFlowText } from '../../world/files/read-flow.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { sourcePathOf } from '../flow-source.ts';
import { resolveRunReference } from '../run-reference.ts';
import { withEngine } from './with-engine.ts';

export interface ChatOptions extends GlobalOptions {
  readonly script?: string;
  /** Id of the conversation to continue. */
  readonly session?: string;
}

/** @returns the exit code: 1 if a script turn does not meet its expectations */
export async function chat(context: CliContext, file: string, options: ChatOptions): Promise<number> {
  const { folder, terminal } = context;
  const target = path.resolve(folder, file);
  const workspace = resolveWorkspace(context, options, target);
  const turns = options.script === undefined ? undefined : await readScript(context, options.script);
  if (turns === null) return exitCode.refused;
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, async (engine) => {
    const sessionId = await sessionOf(context, engine, { ...options, catalogue: sourcePathOf(workspace, target) });
    const stop = engine.watchConversation(sessionId, printerOf(context, options));
    const signals = cancelOnSignals(context, () => void engine.cancelTurn(sessionId));
    const conversation = new ChatTurns(engine, sessionId);
    try {
      if (options.json !== true && turns === undefined) terminal.err(greeting(sessionId));
      await engine.openConversation(sessionId);
      if (turns !== undefined) return await replay(context, conversation, turns, signals.havePressed);
      return await talk(context, conversation, { ...options, findRun: (run) => resolveRunReference(engine, run) });
    } finally {
      signals.stop();
      stop();
    }
  });
}

function greeting(sessionId: SessionId): string {
  return `Conversation ${sessionId}. Type a message or a command: /approve and /reject answer open requests, /drop drops the active flow, /go continues flows that have stopped, /plan RUN NODE starts a plan that a run has proposed, /quit exits.`;
}

/**
 * Opens the conversation. If its catalog no longer exists, for example after a rename, the conversation is moved to the
 * named file. A conversation that belongs to another existing file is rejected.
 */
async function sessionOf(
  { terminal }: CliContext,
  engine: Engine,
  { session, catalogue }: ChatOptions & { readonly catalogue: string },
): Promise<SessionId> {
  if (session === undefined) return (await engine.startConversation({ path: catalogue })).sessionId;
  const sessionId = asSessionId(session);
  const { from } = await engine.moveConversation({ sessionId, path: catalogue });
  if (from !== null)
    terminal.err(
      `The conversation started with ${from}, which no longer exists. It keeps that version of the catalog, and belongs to ${catalogue} from now on.`,
    );
  return sessionId;
}

/** Returns null if the script is invalid, after reporting why. */
async function readScript({ folder, terminal }: CliContext, shown: string): Promise<readonly ChatTurn[] | null> {
  const file = path.resolve(folder, shown);
  const text = await readFlowText(file, { shownPath: shown, maxLength: MAX_FLOW_TEXT_LENGTH });
  const { turns, diagnostics } = parseChatScript(text);
  for (const diagnostic of diagnostics) terminal.err(renderDiagnostic(shown, diagnostic));
  return turns;
}

/** Prints events with `--json`, otherwise the assistant's messages. */
function printerOf({ terminal }: CliContext, { json }: ChatOptions): (notice: ConversationNotice) => void {
  return (notice) => {
    if (notice.type !== 'events') return;
    for (const envelope of notice.events) {
      if (json === true) terminal.json(`${JSON.stringify(envelope)}\n`);
      else if (isReply(envelope)) terminal.out(`${envelope.event.text}\n`);
    }
  };
}

function isReply(envelope: SessionEnvelope): envelope is SessionEnvelope & { event: { text: string } } {
  return envelope.event.type === 'message' && envelope.event.from === 'assistant';
}

async function replay(
  { terminal }: CliContext,
  conversation: ChatTurns,
  turns: readonly ChatTurn[],
  havePressed: () => boolean,
): Promise<number> {
  for (const [index, turn] of turns.entries()) {
    const taken = await conversation.take(turn);
    if (havePressed()) return exitCode.cancelled;
    const missed = missedExpectations(turn.expect ?? {}, taken);
    for (const sentence of missed) terminal.err(`turn ${index + 1}: ${sentence}`);
    if (missed.length > 0) return exitCode.failed;
  }
  terminal.err(`${turns.length} turns, all as expected.`);
  return exitCode.ok;
}

interface TalkOptions extends ChatOptions {
  /** @throws EngineError `run.not-found` */
  readonly findRun: (reference: string) => Promise<RunId>;
}

async function talk(
  { terminal }: CliContext,
  conversation: ChatTurns,
  { json, findRun }: TalkOptions,
): Promise<number> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const prompt = (): void => {
    if (json !== true && terminal.isLive) terminal.out(terminal.colors.cyan('> '));
  };
  prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/quit') break;
    if (text.startsWith('/plan ')) await beginPlan(terminal, conversation, { text, findRun });
    else if (text !== '') await reporting(terminal, () => say(conversation, text));
    if (json !== true) terminal.err(await conversation.stackLine());
    prompt();
  }
  lines.close();
  return (await conversation.isWaiting()) ? exitCode.suspended : exitCode.ok;
}

async function beginPlan(
  terminal: CliContext['terminal'],
  conversation: ChatTurns,
  { text, findRun }: Pick<TalkOptions, 'findRun'> & { readonly text: string },
): Promise<void> {
  const [, run = '', nodeId = ''] = text.split(/\s+/);
  await reporting(terminal, async () => conversation.runPlan(await findRun(run), nodeId));
}

/** Reports an expected failure instead of throwing it, so that the conversation continues. @throws any other error */
async function reporting({ err }: CliContext['terminal'], act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    if (!EngineError.is(thrown)) throw thrown;
    err(thrown.message);
  }
}

async function say(conversation: ChatTurns, text: string): Promise<void> {
  if (text === '/approve' || text === '/reject')
    await conversation.take({ answer: text === '/approve' ? 'approve' : 'reject' });
  else if (text === '/drop') await conversation.take({ ui: { drop: true } });
  else if (text === '/go') await conversation.take({ ui: { goesOn: true } });
  else await conversation.take({ user: text });
}
