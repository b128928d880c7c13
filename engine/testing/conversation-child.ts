/**
 * A program for tests: continues the conversation of a workspace until its plan is done or it is killed. Called with
 * the workspace and the user's folder; prints a line for each event once it is stored, and finally `done`.
 */
import { existsSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { SessionId } from '../base/ids.ts';
import { createEngine, type Engine } from '../index.ts';

const [, , workspace = '', homeFolder = ''] = process.argv;

function say(text: string): void {
  writeSync(1, `${text}\n`);
}

async function take(engine: Engine): Promise<SessionId> {
  const [known] = await engine.listConversations();
  const { sessionId } = known ?? (await engine.startConversation({ path: 'desk.dialogue.yaml' }));
  engine.watchConversation(sessionId, (notice) => {
    for (const { event } of notice.type === 'events' ? notice.events : []) say(event.type);
  });
  await engine.openConversation(sessionId);
  await engine.sayInConversation({ sessionId, text: 'close the quarter', messageId: 'm1' });
  return sessionId;
}

/** Interrupted work may have been done; the journal shows whether it was. Only missing work is repeated. */
async function answerAll(engine: Engine): Promise<void> {
  const file = path.join(workspace, 'journal.txt');
  const journal = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (const { runId, name, kind } of await engine.listWaiting()) {
    const [start] = await engine.readEvents(runId, -1, 1);
    const who = start?.event.type === 'run:start' ? String(Object.values(start.event.inputs as object)[0]) : '';
    const isDone = kind === undefined && journal.includes(who);
    void engine.resumeRun({ runId, nodeId: name, decision: isDone ? 'reject' : 'approve' }).catch(() => undefined);
  }
}

const engine = await createEngine({ workspace, homeFolder, isTrusted: true, env: {} });
const sessionId = await take(engine);
// Also answers during a turn, because runs parallel to a flow block it.
const answering = setInterval(() => answerAll(engine), 10);
for (;;) {
  await engine.whenConversationRests(sessionId);
  const { stack, turnId, queue } = await engine.readConversation({ sessionId });
  if (stack.length === 0 && turnId === null && queue.length === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 5));
}
clearInterval(answering);
say('done');
await engine.close();
