/**
 * Kills the process of a run that is paused, stepped, held at breakpoints and changed by a person: at random moments, in
 * a request, and around commits of its history.
 */
import { expect, test } from 'vitest';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { createDice } from '../../testing/chaos-sessions.ts';
import type { KillOrder, KillPerson } from '../../testing/kill-order.ts';
import { type KillCut, killPatienceMs, setUpKills } from '../../testing/kill-sessions.ts';
import { testRounds } from '../../testing/test-rounds.ts';

const kills = setUpKills();

/** A process commits about this often. */
const commits = 24;
const seeds = Array.from({ length: testRounds(1) }, (_, index) => index + 1);

/** @param base URL of the server */
const personAt = (base: string): KillPerson => ({
  pausesAt: 'before',
  breakpoints: {
    'a.flow.yaml': [{ node: 'say', item: 2 }, { node: 'use' }],
    'inner.flow.yaml': [{ node: 'inner', when: 'input.method is "POST"' }],
  },
  decisions: {
    'each[1].say': { action: 'skip', output: { text: 'by a person' } },
    'call/inner': { action: 'edit', input: { url: `${base}/inner`, method: 'POST', body: 'edited' } },
    use: { action: 'change', of: 'draft', output: { text: 'changed' } },
  },
});

/** Each request is an effect that must not be repeated without consent. */
function flowsAt(base: string): { readonly inner: string; readonly outer: string } {
  const post = (id: string, place: string, body: string) =>
    `{ id: ${id}, type: http.request, input: { url: "${base}/${place}", method: POST, body: "${body}" } }`;
  return {
    inner: `flow: { name: Inner, outputs: { got: "{{inner.body}}" } }\nnodes:\n  - ${post('inner', 'inner', 'written')}\nedges: []\n`,
    outer: `flow: { name: Outer }
nodes:
  - ${post('before', 'before', 'b')}
  - { id: each, type: control.foreach, input: { items: [p, q, r], body: [say, ask] } }
  - { id: say, type: echo, input: { text: "said {{item}}" } }
  - ${post('ask', 'ask-{{item}}', '{{say.text}}')}
  - { id: call, type: flow, input: { flow: inner.flow.yaml } }
  - { id: draft, type: echo, input: { text: "draft {{call.outputs.got}}" } }
  - ${post('use', 'use', '{{draft.text}}')}
  - { id: last, type: echo, input: { text: "{{use.body}} {{draft.text}}" } }
edges:
  - { from: say, to: ask }
  - { from: before, to: each }
  - { from: each, to: call }
  - { from: call, to: draft }
  - { from: draft, to: use }
  - { from: use, to: last }
`,
  };
}

/** How to end a process: around a commit, in a request, or after some of its news. */
interface End {
  readonly crash?: NonNullable<KillOrder['crash']>;
  readonly cut?: KillCut;
}

/** Returns how the processes of a run end. The first ones of all rounds together end after each commit. */
function endsOf(seed: number): readonly End[] {
  const roll = createDice(seed * 7919);
  const dice = (): End => {
    if (roll() < 0.4) return { cut: roll() < 0.5 ? 'in a request' : 1 + Math.floor(roll() * 30) };
    return { crash: { commit: Math.floor(roll() * commits), when: roll() < 0.5 ? 'before' : 'after' } };
  };
  return [{ crash: { commit: (seed - 1) % commits, when: 'after' } }, dice(), dice()];
}

/** Starts the run, and kills and continues it until it has ended. */
async function story(first: Required<Pick<KillOrder, 'person'>> & KillOrder, ends: readonly End[]) {
  const done: string[] = [];
  let runId: string | undefined;
  let killed = 0;
  for (;;) {
    const order = runId === undefined ? first : { isTrusted: true, person: first.person, proceed: runId };
    const { cut, ...crash } = ends[killed] ?? {};
    const { wasKilled, news } = await kills.session({ ...order, done, ...crash }, cut);
    done.push(...news.flatMap(({ decided }) => decided ?? []));
    // A run that was recorded is in the list, also if its caller does not know its ID.
    runId ??= await kills.findRun();
    if (!wasKilled) return { killed, ...(await kills.read(runId ?? '')) };
    killed += 1;
  }
}

/** Returns everything that must not depend on kills: what each node got and returned, also in the called flow. */
function resultOf(log: readonly EventEnvelope[]) {
  const { status, output, nodes } = foldRun(emptyRunState, log);
  const inner = log.flatMap(({ event }) => (event.type === 'node:input' && event.nodeId === 'inner' ? [event] : []));
  // Headers and durations contain times.
  const withoutTimes = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null), (key, part) => (/^headers|durationMs$/.test(key) ? undefined : part));
  const shown = [...nodes.values()].map(({ nodeId, status: end, input, output: result, given, edited }) => {
    return [nodeId, { end, input, given, edited, result: withoutTimes(result) }] as const;
  });
  return { status, output, nodes: Object.fromEntries(shown), inner: inner.at(-1) };
}

test.for(seeds)(
  '13.5 a run that is paused, held and changed by a person, killed at any moment (%i), ends as if nothing had happened',
  { timeout: killPatienceMs },
  async (seed, { annotate }) => {
    const { world } = kills;
    world.answer = ({ body }) => kills.answered(JSON.stringify(`got ${body}`));
    const { inner, outer } = flowsAt(world.base);
    world.folder.write('workspace/inner.flow.yaml', inner);
    const order = { isTrusted: true, path: 'a.flow.yaml', text: outer, person: personAt(world.base) };
    const whole = await story(order, []);
    const bodies = new Map(world.heard.map(({ url, body }) => [url, body]));
    expect([bodies.get('/inner'), bodies.get('/use'), bodies.size]).toEqual(['edited', 'changed', 6]);
    world.heard.length = 0;
    const { runId, log, events, killed } = await story(order, endsOf(seed));
    expect(runId).not.toBe(whole.runId);
    await annotate(`${killed} kills, ${world.heard.length} requests`);
    expect(resultOf(log)).toEqual(resultOf(whole.log));
    for (const { url, body } of world.heard) expect([url, body]).toEqual([url, bodies.get(url)]);
    for (const [url] of bodies) {
      const [node, item] = url.slice(1).split('-');
      const name = item === undefined ? String(node) : `each[${'pqr'.indexOf(item)}].ask`;
      const times = world.heard.filter((one) => one.url === url).length;
      // A person lets a node that was interrupted in its request run again.
      const cuts = events.filter((event) => event.type === 'node:suspended' && event.nodeId === name).length;
      expect({ url, times, isTooOften: times > 1 + cuts }).toEqual({ url, times, isTooOften: false });
    }
    const ended = log.flatMap(({ event }) => (event.type === 'task:complete' ? [event.taskId] : []));
    expect(new Set(ended).size).toBe(ended.length);
  },
);
