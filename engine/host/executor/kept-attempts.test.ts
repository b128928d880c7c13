/**
 * Tests that agents and models that call tools can run on a host that replays stored results: interrupted after any
 * completion, they repeat the same commands and log, and neither a response nor an outside effect is repeated.
 */
import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId, asSessionId } from '../../base/ids.ts';
import { runRoot } from '../../runtime/flow/run-root.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { createCancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import type { ModelReply, ModelRequest } from '../../runtime/kernel/models/model-capability.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestAgents } from '../../testing/agent-world.ts';
import { chaosAgents, chaosAgentsFlow } from '../../testing/chaos-agents.ts';
import { chaosAskers } from '../../testing/chaos-asks.ts';
import { chaosToolReply, chaosTools, chaosToolsFlow } from '../../testing/chaos-tools.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { type Completion, ReplayingHost } from '../../testing/replaying-host.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { compileText } from '../../testing/test-run.ts';

interface Life {
  readonly journal: readonly Completion[];
  readonly commands: readonly string[];
  readonly log: readonly EventEnvelope[];
  readonly places: readonly { readonly commands: number; readonly events: number }[];
}

interface LifeOptions {
  readonly flow: string;
  readonly journal?: readonly Completion[];
  readonly incarnation: string;
  readonly seed: number;
  readonly cancelAfter?: number;
}

/** Answers each request, and approves the repetition of interrupted work. @throws Error if the log does not ask for it */
function answerTo(name: string, log: readonly EventEnvelope[]): unknown {
  const [, place, former = '0'] = /^(.*)\/cut(?:~(\d+))?$/.exec(name) ?? [];
  if (place !== undefined) {
    const asked = log.filter(
      ({ event, context }) =>
        event.type === 'node:suspended' &&
        event.request.reason === 'operator' &&
        [event.nodeId, `${context.node?.id}/${event.nodeId}`].includes(place),
    );
    // A person sees the events of the log, and answers each request once.
    if (asked.length <= Number(former)) throw new Error(`${name} is awaited, but nobody is asked.`);
    return { decision: 'approve' };
  }
  return { payload: { approved: true, comment: `yes to ${name.split('?')[0]}` }, by: 'kim', at: 7 };
}

async function live({ flow, journal = [], incarnation, seed, cancelAfter }: LifeOptions): Promise<Life> {
  let dice = seed;
  const choose = (count: number): number => {
    dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((dice / 2_147_483_648) * count);
  };
  const cancel = cancelAfter === undefined ? {} : { cancelAfter };
  const log: EventEnvelope[] = [];
  const answer = (name: string): unknown => {
    hub.flush();
    return answerTo(name, log);
  };
  const host = new ReplayingHost({ journal, incarnation, choose, answer, ...cancel });
  const clock = { now: () => host.now(), setTimer: () => () => undefined };
  const { hub, subscribe } = createHub({ runId: asRunId('run'), sessionId: asSessionId('session'), clock });
  subscribe((events) => log.push(...events));
  const reply = (asked: ModelRequest): ModelReply =>
    chaosToolReply(asked) ?? { text: asked.messages.at(-1)?.content ?? '', finishReason: 'stop' };
  const fake = createFakeCapabilities({ reply, tools: chaosTools(() => undefined) }).capabilities;
  // As in a real process, no ID of an earlier life is used again.
  let count = 0;
  const ids = { ...createCountingIds(), runId: () => asRunId(`${incarnation} ${count++}`) };
  const texts = new Map([...chaosAgents, ...chaosAskers]);
  const { agents } = createTestAgents({ texts, clock: systemClock, ids, capabilities: fake });
  let last: RunEvent | undefined;
  const request = {
    ...{ flow: compileText(flow), registry: createNodeRegistry(builtinNodes), inputs: {}, host },
    ...{ ids: createCountingIds(), capabilities: { ...fake, agents } },
  };
  const origin = { sourcePath: 'test.flow.yaml', definitionHash: '0'.repeat(64) };
  const ended = runRoot(request, hub, origin, createCancelScope()).then((end) => {
    last = end;
  });
  const places: Life['places'][number][] = [];
  await host.run(
    () => last !== undefined,
    () => {
      hub.flush();
      places.push({ commands: host.commands.length, events: log.length });
    },
  );
  await ended;
  return { journal: host.journal, commands: host.commands, log, places };
}

/** Lives again with the first `cut` completions of another life. Both must agree, and end alike. */
async function interrupted(
  former: Life,
  { flow, cut, seed }: { readonly flow: string; readonly cut: number; readonly seed: number },
): Promise<Life> {
  const journal = former.journal.slice(0, cut);
  const again = await live({ flow, journal, incarnation: `life ${former.journal.length} ${cut}`, seed });
  const place = former.places[cut];
  expect(again.places[cut]).toEqual(place);
  expect(again.commands.slice(0, place?.commands)).toEqual(former.commands.slice(0, place?.commands));
  expect(again.log.slice(0, place?.events)).toEqual(former.log.slice(0, place?.events));
  expect(resultOf(again.log)).toEqual(resultOf(former.log));
  expect(openScopes(again.log)).toEqual([]);
  checkPaid(again.log);
  return again;
}

function countOf(log: readonly EventEnvelope[], keyOf: (event: EventEnvelope) => string | undefined) {
  const counts = new Map<string, number>();
  for (const one of log) {
    const key = keyOf(one);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A response is in the log once, and an outside effect at most once more than people have agreed to. */
function checkPaid(log: readonly EventEnvelope[]): void {
  const responses = countOf(log, ({ runId, context, event }) =>
    event.type === 'model:response' ? `${runId} ${context.task?.id} ${event.callKey}` : undefined,
  );
  expect([...responses].filter(([, count]) => count > 1)).toEqual([]);
  const attempts = countOf(log, ({ event }) =>
    event.type === 'tool:attempt' && event.effects === 'external' ? event.callKey : undefined,
  );
  const agreed = countOf(log, ({ event }) =>
    event.type === 'approval:resolved' ? event.key.replace(/:cut:\d+$/, '') : undefined,
  );
  for (const [key, count] of attempts)
    expect({ key, count }).toEqual({ key, count: Math.min(count, 1 + (agreed.get(key) ?? 0)) });
}

function resultOf(log: readonly EventEnvelope[]): unknown {
  const { status, output, failedNodes } = foldRun(emptyRunState, log);
  const text = JSON.stringify({ status, output, failed: [...failedNodes] });
  return JSON.parse(text, (key, value: unknown) => (key === 'usage' || key === 'costUsd' ? undefined : value));
}

const asksFlow = `
flow: { name: Asks, policy: { maxParallel: 4 } }
nodes:
  - { id: write, type: agent, input: { agent: asker.aip, inputs: [p, q] } }
  - { id: other, type: agent, input: { agent: outer.aip, inputs: [k] } }
  - { id: end, type: constant, input: { value: ["{{write.outputs}}", "{{other.outputs}}"] } }
edges: [{ from: write, to: end }, { from: other, to: end }]
`;

test.for([
  { who: 'agents', flow: chaosAgentsFlow },
  { who: 'models that call tools', flow: chaosToolsFlow },
  { who: 'agents that ask', flow: asksFlow },
])(
  '13.11 interrupted after any completion, $who repeat commands and log, and pay for no response twice',
  { timeout: 600_000 },
  async ({ flow }) => {
    for (let round = 0; round < testRounds(1); round++) {
      const whole = await live({ flow, incarnation: 'first', seed: round });
      expect(foldRun(emptyRunState, whole.log).status).toBe('completed');
      expect(openScopes(whole.log)).toEqual([]);
      checkPaid(whole.log);
      const step = Math.max(1, Math.floor(whole.places.length / 8));
      for (let cut = round % step; cut < whole.places.length; cut += step) {
        const again = await interrupted(whole, { flow, cut, seed: cut });
        // Interrupted once more just after a person has agreed.
        for (const [place, { name }] of again.journal.entries()) {
          const cuts = place < cut || !/\/cut(~\d+)?$/.test(name) ? [] : [place + 1, place + 2];
          for (const second of cuts.filter((one) => one < again.places.length))
            await interrupted(again, { flow, cut: second, seed: second });
        }
      }
    }
  },
);

test.for([
  { who: 'agents', flow: chaosAgentsFlow },
  { who: 'models that call tools', flow: chaosToolsFlow },
])('a canceled run of $who ends everything it had begun', { timeout: 600_000 }, async ({ flow }) => {
  for (const cancelAfter of [1, 15]) {
    const whole = await live({ flow, incarnation: 'first', seed: cancelAfter, cancelAfter });
    expect(foldRun(emptyRunState, whole.log).status).toBe('cancelled');
    expect(openScopes(whole.log)).toEqual([]);
    const cut = Math.min(whole.places.length - 1, cancelAfter + 1);
    const journal = whole.journal.slice(0, cut);
    const again = await live({ flow, journal, incarnation: 'second', seed: 1, cancelAfter });
    expect(foldRun(emptyRunState, again.log).status).toBe('cancelled');
    expect(openScopes(again.log)).toEqual([]);
    expect(again.log.slice(0, whole.places[cut]?.events)).toEqual(whole.log.slice(0, whole.places[cut]?.events));
  }
});
