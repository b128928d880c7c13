/**
 * Answers of a test to the requests of nodes.
 */

import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import type { AnswerSource, ReceivedAnswer } from '../runtime/kernel/requests/ask.ts';

/** An answer with the full name of the node. */
export type TestAnswer = Pick<ReceivedAnswer, 'name'> & Partial<ReceivedAnswer>;

export interface AnswerDesk extends AnswerSource {
  /** Answers a node's request in a log; approves it by default. */
  give(answer: TestAnswer, log: readonly EventEnvelope[]): void;
}

/** Creates an answer desk. Like a history, it outlives the runs that use it. */
export function createAnswerDesk(): AnswerDesk {
  const given: ReceivedAnswer[] = [];
  const listeners = new Set<() => void>();
  return {
    list: () => given,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    give({ name, key = 'ok', payload = { approved: true }, by = 'kim' }, log) {
      const node = name.slice(name.lastIndexOf('/') + 1);
      const asked = log.findLast(
        ({ event }) => event.type === 'approval:requested' && event.nodeId === node && event.key === key,
      )?.event;
      if (asked?.type !== 'approval:requested') throw new Error(`${name} has not asked`);
      given.push({ name, key, requestHash: asked.requestHash, payload, by, at: 7 });
      for (const listener of [...listeners]) listener();
    },
  };
}
