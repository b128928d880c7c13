/**
 * Interrupts a turn after each of its events. The resumed turn has the same result and repeats no step that is in the
 * log.
 */
import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId, asSessionId, type RunId } from '../../base/ids.ts';
import { currentOwner } from '../../history/store/owner.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { SessionEnvelope } from '../session/session-event.ts';
import { receiveMessage, startSession } from '../session/turn.ts';
import { Conversation } from './conversation.ts';
import type { ConversationWorld } from './conversation-world.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { SessionLog } from './session-log.ts';

const catalogue = `
nlu: { script: nlu.yaml }
intents: { Change: { hooks: { check: { script: check.lua } } } }
flows:
  - { name: close, intent: Plan, description: Closes., policy: { flow: close } }
  - { name: a, intent: Change, description: A., policy: { flow: a } }
  - { name: b, intent: Change, description: B., policy: { flow: b }, fallback: c }
  - { name: c, intent: Change, description: C., policy: { flow: c } }
  - name: pay
    intent: Change
    description: Pays.
    slots: { amount: { type: level, priority: required } }
    policy: { flow: pay }
  - { name: ask, intent: Change, description: Asks., policy: { flow: ask } }
`;
const nlu = `
- { match: "close", flow: close }
- { match: "pay 30", flow: pay, slots: { amount: 30 } }
- { match: "ask", flow: ask }
`;
const texts: Readonly<Record<string, string>> = { 'nlu.yaml': nlu };

/** Outputs of runs by the path of their flow. b fails, so that c takes over. */
const outputs: Readonly<Record<string, JsonValue>> = {
  a: { outcome: 'success', data: 'A', scratchpad_entries: ['A is done.'] },
  b: { outcome: 'failure', error_category: 'x', message: 'B is broken.' },
  c: { outcome: 'success', data: 'C' },
  ask: { outcome: 'uncertain', reason: 'There are two.', context: { candidate: 'Ada' } },
  close: { sub_flows: [{ flow: 'a' }, { flow: 'b' }], done: true, result: 'Closed' },
};

const sessionId = asSessionId('s1');
let lastRun = 0;

/** Runs flows. All complete at once, except the one that asks for an approval. */
class Runs {
  readonly started: string[] = [];
  readonly paths: Map<string, string>;
  readonly #ended = new Set<string>();

  /** @param paths paths of runs from an earlier process */
  constructor(paths: ReadonlyMap<string, string>) {
    this.paths = new Map(paths);
  }

  get world(): ConversationWorld['runs'] {
    const statusOf = (runId: RunId): string => {
      if (this.#ended.has(runId)) return 'cancelled';
      return this.paths.get(runId) === 'pay' ? 'suspended' : 'completed';
    };
    const summaryOf = (runId: RunId) =>
      ({ runId, status: statusOf(runId), waitStatus: 'PENDING_APPROVAL', failedNodes: [] }) as never;
    const find = (runId: RunId) => (this.paths.has(runId) ? summaryOf(runId) : undefined);
    return {
      start: async ({ path, conversation }) => {
        const runId = conversation?.runId ?? asRunId('');
        this.started.push(runId);
        this.paths.set(runId, path);
      },
      resume: async () => undefined,
      isAnswered: () => false,
      find,
      whenEnded: async (runId) => summaryOf(runId),
      hasBegun: () => true,
      resultOf: (runId) => outputs[this.paths.get(runId) ?? ''] ?? null,
      nodeOutput: () => undefined,
      effectsOf: (runId) => (this.paths.get(runId) === 'pay' ? [] : [{ runId: 'r', tool: 't', target: '' }]),
      needOf: () => undefined,
      answerNeed: async () => undefined,
      questionsOf: () => [],
      end: async (runId) => {
        this.#ended.add(runId);
        return true;
      },
      onlyReads: async () => false,
      isReadingTool: async () => false,
      cancel: () => undefined,
      watch: () => () => undefined,
    };
  }
}

/** Holds the conversation, starting with a log, until nothing is active. */
async function proceed(
  log: readonly SessionEnvelope[],
  runs: Runs,
  said: readonly string[],
): Promise<readonly SessionEnvelope[]> {
  const history = await openRunStore({ file: null, clock: systemClock, owner: currentOwner() });
  const store = history.sessions;
  store.create({ sessionId, catalogue: { path: 'desk.dialogue.yaml', name: 'Desk', text: catalogue } });
  store.append(sessionId, log);
  const thrown: unknown[] = [];
  const none = async () => ({ problem: 'There is no model.' });
  const world: ConversationWorld = {
    ...{
      store,
      clock: systemClock,
      runs: runs.world,
      models: { open: () => ({ value: none, text: none, recall: () => undefined }), withholds: () => false },
    },
    ids: { runId: () => asRunId(`r${++lastRun}`), sessionId: () => sessionId },
    readText: async (path) => texts[path] ?? '',
    onError: (error) => thrown.push(error),
  };
  const held = await loadCatalogue('desk.dialogue.yaml', catalogue, world);
  const sessionLog = new SessionLog(sessionId, { store, clock: systemClock, onListenerError: world.onError });
  if (log.length === 0) {
    const version = { path: 'desk.dialogue.yaml', hash: 'h', name: 'Desk' };
    const first = startSession(sessionLog.state, version);
    if ('events' in first) sessionLog.append(first.events);
    for (const [index, text] of said.entries()) {
      const received = receiveMessage(sessionLog.state, { messageId: `m${index}`, text });
      if ('events' in received) sessionLog.append(received.events);
    }
  }
  const conversation = new Conversation(sessionLog, held, world);
  conversation.proceed();
  await conversation.whenIdle();
  await conversation.close();
  const all = store.readEvents(sessionId, { fromSeq: 0 });
  expect(thrown).toEqual([]);
  history.close();
  return all;
}

/** Formats the events, with runs numbered in order of appearance. */
function shape(log: readonly SessionEnvelope[]): string {
  const names = new Map<string, string>();
  const text = log.map(({ seq, turnId, event }) => JSON.stringify([seq, turnId, event])).join('\n');
  return text.replaceAll(/\br\d+\b/g, (id) => names.get(id) ?? names.set(id, `run${names.size}`).get(id) ?? id);
}

test.each([
  { said: ['close'], has: ['plan:decomposed', 'stack:fallback', 'plan:assessed', 'recovery:step'] },
  { said: ['pay 30', 'no, make it 20', 'cancel that'], has: ['flow:stopped', 'slot:filled', 'stack:invalidate'] },
  { said: ['ask', 'yes'], has: ['ambiguity:declared', 'flow:progress', 'recovery:step'] },
])(
  'a turn of $said that is interrupted after any of its events has the same end and starts no run twice',
  async ({ said, has }) => {
    const whole = new Runs(new Map());
    const log = await proceed([], whole, said);
    expect(log.at(-1)?.event).toMatchObject({ type: 'turn:end', outcome: 'done' });
    expect(log.map(({ event }) => event.type)).toEqual(expect.arrayContaining(has));
    const expected = shape(log);
    for (let cut = 1 + said.length; cut < log.length; cut++) {
      const prefix = log.slice(0, cut);
      const begun = prefix.flatMap(({ event }) =>
        event.type === 'step:result' && event.key.startsWith('outcome:') ? [event.key.slice('outcome:'.length)] : [],
      );
      const known = new Map(begun.map((runId) => [runId, whole.paths.get(runId) ?? '']));
      const runs = new Runs(known);
      expect(shape(await proceed(prefix, runs, said)), `cut behind event ${cut - 1}`).toBe(expected);
      expect(runs.started.filter((runId) => known.has(runId))).toEqual([]);
      expect(new Set(runs.started).size).toBe(runs.started.length);
    }
  },
);

test('13.12 a turn started by an earlier version continues, although its log contains predictions without an act', async () => {
  const said = ['close'];
  const log = await proceed([], new Runs(new Map()), said);
  const earlier = log.map((envelope): SessionEnvelope => {
    if (envelope.event.type !== 'nlu:predicted') return envelope;
    const { act: _, ...event } = envelope.event;
    return { ...envelope, event };
  });
  const cut = earlier.findIndex(({ event }) => event.type === 'nlu:predicted') + 1;
  const whole = await proceed(earlier.slice(0, cut), new Runs(new Map()), said);
  expect(shape(whole)).toBe(shape([...earlier.slice(0, cut), ...log.slice(cut)]));
});
