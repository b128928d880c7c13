/**
 * Replays conversations of several domains like `chat --script`. The NLU script understands each message perfectly, so
 * that only the conversation logic is tested.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { missedExpectations, parseChatScript } from '../conversations/meaning/chat-script.ts';
import { TestDesk } from '../conversations/turns/test-desk.ts';
import { ChatTurns } from '../evaluation/chat-turns.ts';

interface Domain {
  readonly files: Readonly<Record<string, string>>;
  readonly conversations: Readonly<Record<string, readonly object[]>>;
}

function domainNamed(name: string): Domain {
  return parse(readFileSync(path.join(import.meta.dirname, 'chat-scripts', `${name}.yaml`), 'utf8')) as Domain;
}

describe.each(['bank', 'travel', 'kitchen'])('13.12 in conversations with the %s', (name) => {
  const { files, conversations } = domainNamed(name);
  let desk: TestDesk;
  beforeAll(async () => {
    desk = await TestDesk.open(files);
  });
  afterAll(() => desk.close());

  test.each(Object.entries(conversations))('%s', async (_, script) => {
    const { turns, diagnostics } = parseChatScript(JSON.stringify({ turns: script }));
    expect(diagnostics).toEqual([]);
    const { sessionId } = await desk.engine.startConversation({ path: 'desk.dialogue.yaml' });
    const chat = new ChatTurns(desk.engine, sessionId);
    for (const [index, turn] of (turns ?? []).entries()) {
      const missed = missedExpectations(turn.expect ?? {}, await chat.take(turn));
      expect(missed, `turn ${index + 1}`).toEqual([]);
    }
  });
});
