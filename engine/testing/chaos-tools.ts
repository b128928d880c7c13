/**
 * A flow of prompts whose models call tools that look, book, and send when a person has approved it, for runs that are killed and go on.
 */
import { systemClock } from '../base/clock.ts';
import type { ModelReply, ModelRequest } from '../kernel/model-capability.ts';
import { testTool } from '../tools/test-tools.ts';
import type { RunnableTool } from '../tools/tool-source.ts';
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

/** What the model calls with each answer; after them it says something. */
const calledBy = [
  ['look', 'look'],
  ['book', 'book'],
  ['look', 'send'],
] as const;

/** Says what it was told last, and calls as often as there is something to call. Undefined = it was given no tools. */
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

/** What the model says when it was told this last. */
export function answerTo(said: string): string {
  return `answer to ${said}`;
}

/** They note their work, which takes some milliseconds. */
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
