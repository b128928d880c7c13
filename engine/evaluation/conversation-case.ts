/**
 * Runs the turns of a conversation as a case.
 */
import { EngineError } from '../base/engine-error.ts';
import { type ChatTurn, missedExpectations, parseChatScript } from '../conversations/meaning/chat-script.ts';
import type { CaseDoc } from '../language/cases/case-doc.ts';
import type { CaseResult, CheckResult } from '../language/cases/case-result.ts';
import type { CaseContext } from './case-context.ts';
import { ChatTurns } from './chat-turns.ts';
import { besideTest } from './list-cases.ts';

/** Longest part of a message in a label. In UTF-16 units. */
const longestSaid = 60;

/** Takes all turns until one differs from its expectations. @throws EngineError `test.bad-turns`, and errors of turns */
export async function runConversation(
  file: string,
  doc: CaseDoc,
  { bench, target, read, signal }: CaseContext,
): Promise<Pick<CaseResult, 'checks' | 'covered'>> {
  const { engine, player } = bench;
  const turns = await turnsOf(file, doc, read);
  const { sessionId } = await engine.startConversation({ path: target.path });
  const conversation = new ChatTurns(engine, sessionId);
  const checks: CheckResult[] = [];
  await engine.openConversation(sessionId);
  for (const [index, turn] of turns.entries()) {
    signal?.throwIfAborted();
    const taken = await conversation.take(turn);
    const { missing } = player.used();
    const missed = [...missing.map(({ message }) => message), ...missedExpectations(turn.expect ?? {}, taken)];
    checks.push({
      ...{ isOk: missed.length === 0, kind: 'turn', subject: String(index + 1), got: taken.reply },
      label: `turn ${index + 1}: ${saidIn(turn)}`,
      ...(missed.length === 0 ? {} : { message: `Turn ${index + 1}: ${missed.join('; ')}` }),
    });
    if (missed.length > 0) break;
  }
  return { checks, covered: [] };
}

function saidIn({ user, answer, ui }: ChatTurn): string {
  const said = user ?? (typeof answer === 'string' ? answer : JSON.stringify(answer ?? ui));
  return said.length > longestSaid ? `${said.slice(0, longestSaid)}…` : said;
}

async function turnsOf(file: string, { turns }: CaseDoc, read: CaseContext['read']): Promise<readonly ChatTurn[]> {
  if (turns === undefined) throw badTurns('A case of a catalog needs `turns`: the messages of a conversation.');
  const path = typeof turns === 'string' ? besideTest(file, turns) : file;
  const text = typeof turns === 'string' ? await read(path) : JSON.stringify({ turns });
  if (text === undefined) throw badTurns(`There is no script ${path}, which \`turns\` names.`);
  const parsed = parseChatScript(text);
  if (parsed.turns !== null) return parsed.turns;
  const [first] = parsed.diagnostics;
  throw badTurns(
    `The turns${typeof turns === 'string' ? ` in ${path}, line ${first?.range.line ?? 1},` : ''} are invalid: ${first?.message ?? ''}`,
  );
}

function badTurns(message: string): EngineError {
  return new EngineError({ code: 'test.bad-turns', message });
}
