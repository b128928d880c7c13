/**
 * A flow of prompts with tools that look up, book, and send after approval, for runs that are killed and resumed.
 */
import { systemClock } from '../base/clock.ts';
import type { ModelReply, ModelRequest } from '../runtime/kernel/models/model-capability.ts';
import { testTool } from '../world/tools/test-tools.ts';
import type { RunnableTool } from '../world/tools/tool-source.ts';
import type { JournalLine } from './chaos-order.ts';

type Note = (moment: JournalLine['moment'], work: string) => void;

export const chaosToolsFlow = `
flow: { name: Tools, policy: { maxParallel: 3 } }
nodes:
  - { id: one, type: prompt, input: { prompt: question one }, config: { tools: [look, book, send] } }
  - { id: each, type: control.foreach, input: { items: [a, b], maxParallel: 2, body: [work] } }
  - { id: work, type: prompt, input: { prompt: "item {{item}}" }, config: { tools: [look, book, send] } }
  - { id: end, type: constant, input: { value: ["{{one.text}}", "{{each.iterations}}"] } }
edges: [{ from: one, to: end }, { from: each, to: end }]
`;

/** Tool calls in each response; the response after them is text. */
const calledBy = [
  ['look', 'look'],
  ['book', 'book'],
  ['look', 'send'],
] as const;

/**
 * Responds to the last tool result and calls tools while there are calls left. Returns undefined if the request has no
 * tools.
 */
export function chaosToolReply({ messages, tools }: ModelRequest): ModelReply | undefined {
  if (tools === undefined) return undefined;
  const answers = messages.filter(({ role }) => role === 'assistant').length;
  const text = answerTo(messages.at(-1)?.content ?? '');
  const called = calledBy[answers];
  if (called === undefined) return { text, finishReason: 'stop' };
  const toolCalls = called.map((name, index) => {
    const who = `${messages[0]?.content} ${answers}.${index}`;
    return { id: `${answers}.${index}`, name, input: { who } };
  });
  return { text, finishReason: 'tool-calls', toolCalls };
}

/** Returns the model's response to this text. */
export function answerTo(said: string): string {
  return `answer to ${said}`;
}

/** Tools that record their work and take a few milliseconds. */
export function chaosTools(note: Note): readonly RunnableTool[] {
  const tool = (name: string, more: Parameters<typeof testTool>[1]): RunnableTool =>
    testTool(
      async ({ who }, { signal }) => {
        const work = `${name} ${who}`;
        note('start', work);
        await new Promise<void>((resolve) => systemClock.setTimer(resolve, 6));
        signal.throwIfAborted();
        note('end', work);
        return `gave ${work}`;
      },
      { name, inputSchema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] }, ...more },
    );
  return [
    tool('look', {}),
    tool('book', { effects: 'external' }),
    tool('send', { effects: 'external', requiresApproval: true }),
  ];
}
