/** Kills the process of a run that waits for a permission or a higher budget, and of a rerun by item, at random moments. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createDice } from '../../testing/chaos-sessions.ts';
import type { KillOrder } from '../../testing/kill-order.ts';
import { type KillCut, type KilledStory, killPatienceMs, setUpKills } from '../../testing/kill-sessions.ts';
import { testRounds } from '../../testing/test-rounds.ts';

const kills = setUpKills();

/** Number of kills in one round. */
const killsInRound = 2;

/** Starts, kills and resumes until the run is over. */
async function story(first: KillOrder, roll: () => number): Promise<KilledStory> {
  const cutAfter = (): KillCut => (roll() < 0.3 ? 'in a request' : 1 + Math.floor(roll() * 14));
  const begun = await kills.session(first, cutAfter());
  const { runId = '' } = begun.news.find(({ type }) => type === 'accepted') ?? {};
  let killed = begun.wasKilled ? 1 : 0;
  let last = begun;
  while (killed < killsInRound) {
    last = await kills.session({ isTrusted: first.isTrusted, proceed: runId }, cutAfter());
    if (!last.wasKilled) break;
    killed += 1;
  }
  await kills.session({ isTrusted: first.isTrusted, proceed: runId });
  return { killed, ...(await kills.read(runId)) };
}

const reads = (events: readonly RunEvent[], type: RunEvent['type']): readonly string[] =>
  events.flatMap((event) => (event.type === type && 'nodeId' in event ? [String(event.nodeId)] : []));

const seeds = Array.from({ length: testRounds(1) }, (_, index) => index + 1);

test.for(seeds)(
  '13.6 a run that waits for a permission, killed at any moment (%i), continues once it is allowed',
  { timeout: killPatienceMs },
  async (seed, { annotate }) => {
    const { world } = kills;
    world.answer = () => kills.answered('{}');
    const text = JSON.stringify({
      flow: { name: 'F' },
      nodes: [
        { id: 'before', type: 'echo', input: { text: 'x' } },
        {
          id: 'call',
          type: 'http.request',
          input: { url: `${world.base}/{{before.text}}`, method: 'POST', body: 'y' },
        },
        { id: 'after', type: 'echo', input: { text: '{{call.status}}' } },
      ],
      edges: [
        { from: 'before', to: 'call' },
        { from: 'call', to: 'after' },
      ],
    });
    const { events, status, killed } = await story({ isTrusted: false, path: 'a.flow.yaml', text }, createDice(seed));
    await annotate(`${killed} kills, ${world.heard.length} requests`);
    expect(status).toBe('completed');
    // There is one request for the permission, whichever process made it, and one call unless a person allowed a
    // repetition.
    const asked = events.filter((event) => event.type === 'node:suspended');
    const permissions = asked.filter(({ request }) => request.reason === 'permission');
    expect(permissions.map(({ nodeId }) => nodeId)).toEqual(['call']);
    expect(world.heard.length).toBeGreaterThan(0);
    expect(world.heard.length).toBeLessThanOrEqual(1 + asked.length - permissions.length);
    expect(reads(events, 'task:complete').toSorted()).toEqual(['after', 'before', 'call']);
  },
);

test.for(seeds)(
  '13.14 a run that pauses at its budget, killed at any moment (%i), loses no raise and makes no paid call twice',
  { timeout: killPatienceMs },
  async (seed, { annotate }) => {
    const { world } = kills;
    const ids = ['a', 'b', 'c', 'd'];
    const usage = '{ promptTokens: 10, completionTokens: 20 }';
    writeFileSync(world.folder.at('workspace/model.yaml'), `replies: [{ match: "", reply: Text, usage: ${usage} }]\n`);
    const text = JSON.stringify({
      flow: { name: 'F', policy: { budget: { tokens: 30 } } },
      nodes: ids.map((id) => ({
        ...{ id, type: 'prompt', config: { model: 'scripted::model.yaml' }, input: { prompt: 'Write.' } },
      })),
      edges: ids.slice(1).map((to, index) => ({ from: ids[index], to })),
    });
    const { events, status, killed } = await story({ isTrusted: true, path: 'a.flow.yaml', text }, createDice(seed));
    const raised = events.flatMap((event) => (event.type === 'run:resumed' ? (event.raised?.tokens ?? []) : []));
    await annotate(`${killed} kills, raised to ${raised.join(', ')}`);
    expect(status).toBe('completed');
    expect(reads(events, 'task:complete')).toEqual(ids);
    // A person lets a node that was interrupted during its call run again.
    const calls = events.filter(({ type }) => type === 'model:response').length;
    const isAgain = (event: RunEvent) => event.type === 'run:resumed' && event.decision === 'approve';
    expect(calls).toBeLessThanOrEqual(ids.length + events.filter(isAgain).length);
    // What was used before a kill counts: no node starts without the tokens that it needs.
    expect(raised).toEqual([...new Set(raised)].toSorted((one, other) => one - other));
    expect(raised.at(-1)).toBeGreaterThanOrEqual(120);
    expect(
      events.filter((event) => event.type === 'run:suspended' && event.reason === 'budget').length,
    ).toBeLessThanOrEqual(raised.length + killed);
  },
);

const items = ['p', 'q', 'r', 's', 't', 'u'];
test.for(seeds)(
  '13.15 a rerun by item, killed at any moment (%i), does not pay for a completed item again',
  { timeout: killPatienceMs },
  async (seed, { annotate }) => {
    const { world } = kills;
    const text = `flow: { name: F }
nodes:
  - { id: each, type: control.foreach, input: { items: [${items.join(', ')}], maxParallel: 2, tolerate: true, body: [ask] } }
  - { id: ask, type: http.request, input: { url: "${world.base}/{{item}}", method: POST, body: x }, config: { parse: json } }
edges: []
`;
    const bad = new Set(['q', 's', 't', 'u']);
    world.answer = ({ url }) => kills.answered(bad.has(url.slice(1)) ? 'no JSON' : '{}');
    world.folder.write('workspace/a.flow.yaml', text);
    const first = await kills.session({ isTrusted: true, path: 'a.flow.yaml', text });
    expect(world.heard).toHaveLength(items.length);
    const { runId = '' } = first.news.find(({ type }) => type === 'accepted') ?? {};
    world.heard.length = 0;
    bad.clear();
    const { events, status, killed } = await story({ isTrusted: true, rerun: runId }, createDice(seed + 100));
    await annotate(`${killed} kills, ${world.heard.length} requests`);
    expect(status).toBe('completed');
    const [paid, cut] = [world.heard.map(({ url }) => url.slice(1)), reads(events, 'node:suspended')];
    for (const [index, item] of items.entries()) {
      const name = `each[${index}].ask`;
      const isReused = reads(events, 'node:reused').includes(name);
      const times = paid.filter((one) => one === item).length;
      const mostTimes = isReused ? 0 : 1 + cut.filter((one) => one === name).length;
      expect({ item, times, isTooOften: times > mostTimes }).toEqual({ item, times, isTooOften: false });
      expect(reads(events, 'task:complete').filter((one) => one === name)).toHaveLength(isReused ? 0 : 1);
    }
    expect(paid).not.toContain('p');
    expect(paid).not.toContain('r');
  },
);
