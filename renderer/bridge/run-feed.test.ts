import { describe, expect, test } from 'vitest';
import { type EventEnvelope, rootOf } from '../../engine/isomorphic.ts';
import { createRunFeed } from './run-feed.ts';
import { createEngineStandIn, settled } from './testing/engine-stand-in.ts';
import { createRunTeller, nodeStart, type RunTeller, runStart } from './testing/run-events.ts';

/** A page with animation frames that the test triggers. */
function createPage(stored: RunTeller[]) {
  const applied: EventEnvelope[][] = [];
  const last = new Map<string, number>();
  const acknowledged: number[] = [];
  let frame: (() => void) | null = null;
  const engine = createEngineStandIn({
    readEvents: (runId, afterSeq, limit) => {
      const events = stored.flatMap((teller) => teller.events).filter((event) => rootOf(event) === runId);
      return events.filter(({ seq }) => seq > afterSeq).slice(0, limit);
    },
  });
  const feed = createRunFeed({
    engine: engine.client,
    sink: {
      lastSeq: (runId) => last.get(runId) ?? -1,
      applyEvents(events) {
        applied.push([...events]);
        for (const event of events) last.set(rootOf(event), event.seq);
      },
    },
    nextFrame(callback) {
      frame = callback;
      return () => {
        frame = null;
      };
    },
  });
  engine.connect();
  return {
    engine,
    feed,
    acknowledged,
    push: (events: readonly EventEnvelope[]) =>
      engine.push('subscribe', events, () => acknowledged.push(events.length)),
    async drawFrame() {
      await settled();
      frame?.();
      frame = null;
      await settled();
    },
    /** The applied events, one list for each batch. */
    applied: () => applied.map((events) => events.map(({ runId, seq }) => `${runId}#${seq}`)),
    hasFrame: () => frame !== null,
  };
}

function tellRun(runId: string, count: number): RunTeller {
  const teller = createRunTeller(runId);
  teller.tell(runStart('a.flow.yaml'));
  for (let index = 1; index < count; index++) teller.tell(nodeStart(`n${index}`));
  return teller;
}

describe('the run feed', () => {
  test('applies everything that arrived since the last frame at once, and acknowledges each batch', async () => {
    const run = tellRun('r1', 4);
    const page = createPage([run]);
    page.push(run.events.slice(0, 1));
    page.push(run.events.slice(1, 4));
    await settled();
    expect(page.applied()).toEqual([]);
    await page.drawFrame();
    expect({ applied: page.applied(), acknowledged: page.acknowledged }).toEqual({
      applied: [['r1#0', 'r1#1', 'r1#2', 'r1#3']],
      acknowledged: [1, 3],
    });
  });

  test('reads the missing events before a gap, and nothing twice', async () => {
    const run = tellRun('r1', 6);
    const page = createPage([run]);
    page.push(run.events.slice(0, 2));
    await page.drawFrame();
    page.push(run.events.slice(4, 5));
    await page.drawFrame();
    page.push(run.events.slice(3, 6));
    await page.drawFrame();
    expect(page.applied().flat()).toEqual(['r1#0', 'r1#1', 'r1#2', 'r1#3', 'r1#4', 'r1#5']);
    expect(page.engine.calls.filter((method) => method === 'readEvents')).toHaveLength(1);
  });

  test('a window that opens late reads the run from its start', async () => {
    const run = tellRun('r1', 3);
    const page = createPage([run]);
    page.push(run.events.slice(2));
    await page.drawFrame();
    expect(page.applied()).toEqual([['r1#0', 'r1#1', 'r1#2']]);
  });

  test('keeps an event that is stored while missing events are being read', async () => {
    const run = tellRun('r1', 3);
    const page = createPage([run]);
    const reading = page.feed.catchUp('r1');
    const late = run.tell(nodeStart('late'));
    page.push([late]);
    await page.drawFrame();
    await reading;
    expect(page.applied().flat()).toEqual(['r1#0', 'r1#1', 'r1#2', 'r1#3']);
  });

  test('a gap in one run does not delay another', async () => {
    const gapped = tellRun('r1', 3);
    const whole = tellRun('r2', 2);
    const page = createPage([gapped, whole]);
    page.push([...gapped.events.slice(1), ...whole.events]);
    await page.drawFrame();
    expect(page.applied()).toEqual([
      ['r2#0', 'r2#1'],
      ['r1#0', 'r1#1', 'r1#2'],
    ]);
  });

  test('reads a run that is longer than a page to its end', async () => {
    const run = tellRun('r1', 5001);
    const page = createPage([run]);
    await page.feed.catchUp('r1');
    expect(page.applied().map((events) => events.length)).toEqual([5000, 1]);
  });

  test('a failed read rejects for its caller, and the next one starts from scratch', async () => {
    const page = createPage([]);
    const reading = page.feed.catchUp('r1');
    page.engine.disconnect();
    await expect(reading).rejects.toMatchObject({ code: 'rpc.disconnected' });
    page.engine.connect();
    await expect(page.feed.catchUp('r1')).resolves.toBeUndefined();
  });

  test('receives and applies nothing after it is stopped', async () => {
    const run = tellRun('r1', 2);
    const page = createPage([run]);
    page.push(run.events.slice(0, 1));
    await settled();
    page.feed.stop();
    page.push(run.events.slice(1));
    await settled();
    expect({ hasFrame: page.hasFrame(), applied: page.applied() }).toEqual({ hasFrame: false, applied: [] });
  });

  test('events of a nested child run are ordered with those of the root run', async () => {
    const teller = tellRun('r1', 2);
    teller.tellChild({ runId: 'c1', parentRunId: 'r1' }, runStart('a.aip'));
    teller.tellChild({ runId: 'c2', parentRunId: 'c1' }, runStart('b.aip'));
    const page = createPage([teller]);
    page.push(teller.events.slice(0, 2));
    await page.drawFrame();
    page.push(teller.events.slice(2));
    await page.drawFrame();
    expect(page.applied()).toEqual([
      ['r1#0', 'r1#1'],
      ['c1#2', 'c2#3'],
    ]);
    expect(page.engine.calls).not.toContain('run.events');
  });
});
