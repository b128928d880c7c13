import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import { secretMark } from '../../../language/bindings/secret-bindings.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { runStart } from '../../../testing/run-samples.ts';
import { createRunSecrets } from '../../../world/secrets/run-secrets.ts';
import { EventRecorder } from '../../flow/node/event-recorder.ts';
import type { RunEvent } from '../events/run-event.ts';
import { CallTracker } from '../resume/called-runs.ts';
import { createHub } from './hub.ts';
import type { EmitRules, HubHooks } from './hub-hooks.ts';
import { Spending } from './spending.ts';

const text = (content: string): RunEvent => ({ type: 'agent:text', content });
const log = (content: string): RunEvent => ({ type: 'log', level: 'info', text: content });
const called = asRunId('called');
const agentStart: RunEvent = { type: 'agent:start', agentName: 'api-key', runId: called };

function setUp() {
  const { hub, subscribe } = createHub({
    runId: asRunId('run'),
    sessionId: asSessionId('s'),
    clock: createManualClock(),
  });
  const events: RunEvent[] = [];
  subscribe((group) => events.push(...group.map(({ event }) => event)));
  return { hub, events };
}

const secrets = createRunSecrets({ values: new Map([['KEY', 'api-key']]), admit: () => undefined });
const mark = secretMark('KEY');

/** All hooks that see events. Each writes down what it sees, after its name. */
function spies(steps: string[], name = ''): HubHooks {
  const see = (hook: string, event?: RunEvent): void =>
    void steps.push([hook + name, JSON.stringify(event)].join(' ').trim());
  class Calls extends CallTracker {
    override take = (event: RunEvent) => see('calls', event);
  }
  class Counter extends Spending {
    override add = (event: RunEvent) => see('spending', event);
  }
  return {
    gate: {
      get isOpen() {
        see('gate');
        return true;
      },
    },
    rules: {
      checked(event) {
        see('rules', event);
        return event;
      },
      contextOf: (context) => context,
    },
    calls: new Calls(setUp().hub, createManualClock(), []),
    onEmit: (event) => see('onEmit', event),
    spending: new Counter(),
    secrets: {
      ...secrets,
      mask(value) {
        see('secrets');
        return secrets.mask(value);
      },
    },
  };
}

describe('order of hooks', () => {
  const response: RunEvent = { type: 'model:response', durationMs: 1, finishReason: 'stop' };
  const hooksIn = (steps: string[]): (string | undefined)[] => steps.splice(0).map((step) => step.split(' ')[0]);

  test('an event passes gate, rules, calls, onEmit, spending and secrets, in this order, and is recorded masked', () => {
    const steps: string[] = [];
    const recorder = new EventRecorder();
    const view = setUp().hub.with({ recorder }).with(spies(steps));
    view.emit(agentStart);
    const plain = JSON.stringify(agentStart);
    expect(steps.splice(0)).toEqual(['gate', `rules ${plain}`, `calls ${plain}`, `onEmit ${plain}`, 'secrets']);
    expect(recorder.recorded).toEqual([{ way: [], event: { ...agentStart, agentName: mark } }]);
    view.emit(response);
    expect(hooksIn(steps)).toEqual(['gate', 'rules', 'onEmit', 'spending', 'secrets']);
  });

  test('it passes the hooks that were added last first, and those from before get it masked', () => {
    const steps: string[] = [];
    setUp().hub.with(spies(steps, '-outer')).with(spies(steps, '-inner')).emit(agentStart);
    expect(steps).toContain(`rules-outer ${JSON.stringify({ ...agentStart, agentName: mark })}`);
    const each = ['gate', 'rules', 'calls', 'onEmit', 'secrets'];
    expect(hooksIn(steps)).toEqual([...each.map((hook) => `${hook}-inner`), ...each.map((hook) => `${hook}-outer`)]);
  });

  test('of child runs, rules and onEmit see nothing, and calls sees everything', () => {
    const steps: string[] = [];
    const view = setUp().hub.with(spies(steps));
    view.emit(log('own'));
    expect(hooksIn(steps)).toEqual(['gate', 'rules', 'onEmit', 'secrets']);
    view.child(called).emit(runStart);
    expect(hooksIn(steps)).toEqual(['gate', 'calls', 'secrets']);
  });
});

describe('views', () => {
  test('scoped views and child runs have all that their view has', () => {
    const { hub, events } = setUp();
    const gate = { isOpen: true };
    const spending = new Spending();
    const view = hub.with({ gate, spending, product: 'shop', isUnseen: true });
    for (const one of [view.scoped({ task: { id: 'node:a' } }), view.child(called), view.with({})]) {
      expect(one).toMatchObject({ products: ['shop'], isUnseen: true });
      one.emit({ type: 'model:response', durationMs: 1, finishReason: 'stop' });
    }
    expect(spending.total()).toEqual({ unpricedCalls: 3 });
    gate.isOpen = false;
    view.child(called).emit(text('too late'));
    hub.flush();
    expect(events).toHaveLength(3);
  });

  test('the view that gets hooks stays as it was', () => {
    const { hub, events } = setUp();
    hub.with({ gate: { isOpen: false }, product: 'shop', isUnseen: true });
    hub.emit(text('x'));
    hub.flush();
    expect([hub.products, hub.isUnseen, events]).toEqual([undefined, false, [text('x')]]);
  });

  test('products are listed from the outermost on, each once in a row', () => {
    const { hub } = setUp();
    const shop = hub.with({ product: 'shop' });
    expect(shop.with({ product: 'shop' }).products).toEqual(['shop']);
    expect(shop.child(called).with({ product: 'bank' }).products).toEqual(['shop', 'bank']);
    expect(shop.with({ product: undefined }).products).toEqual(['shop']);
  });

  test('data that becomes unseen later is unseen in all hubs created from it', () => {
    const { hub } = setUp();
    const unseen = { outer: false, inner: false };
    const outer = hub.with({ isUnseen: () => unseen.outer });
    const inner = outer.child(called).with({ isUnseen: () => unseen.inner });
    const isUnseen = () => [hub, outer, inner, inner.with({ isUnseen: false })].map((view) => view.isUnseen);
    expect(isUnseen()).toEqual([false, false, false, false]);
    unseen.inner = true;
    expect(isUnseen()).toEqual([false, false, true, true]);
    Object.assign(unseen, { outer: true, inner: false });
    expect(isUnseen()).toEqual([false, true, true, true]);
  });

  test('rules decide what of a context the run may set, but not its child runs', () => {
    const { hub } = setUp();
    const rules: EmitRules = { checked: (event) => event, contextOf: () => ({}) };
    const task = { task: { id: 'node:a' } };
    const view = hub.with({ rules });
    expect([view.scoped(task).taskId, view.child(called).scoped(task).taskId]).toEqual([undefined, 'node:a']);
  });

  test('what rules refuse goes nowhere, and is thrown', () => {
    const { hub, events } = setUp();
    const refuse = (): never => {
      throw new EngineError({ code: 'node.bad-event', message: 'no' });
    };
    const spending = new Spending();
    const view = hub.with({ rules: { checked: refuse, contextOf: (context) => context }, spending });
    expect(() => view.emit({ type: 'model:response', durationMs: 1, finishReason: 'stop' })).toThrow('no');
    hub.flush();
    expect([events, spending.total()]).toEqual([[], {}]);
  });
});

describe('a recorder', () => {
  test('receives everything in place of the hub, which learns of nothing', () => {
    const { hub, events } = setUp();
    const recorder = new EventRecorder();
    const spending = new Spending();
    const view = hub.with({ spending, product: 'shop' }).with({ recorder });
    view.emit({ type: 'model:response', durationMs: 1, finishReason: 'stop' });
    view
      .child(called)
      .scoped({ agent: { name: 'a' } })
      .emit(text('x'));
    view.keepDefinition?.('flow: {}');
    view.flush();
    expect([events, spending.total(), view.products]).toEqual([[], {}, ['shop']]);
    expect(recorder.recorded).toEqual([
      { way: [], event: { type: 'model:response', durationMs: 1, finishReason: 'stop' } },
      { way: [{ child: called }, { context: { agent: { name: 'a' } } }], event: text('x') },
      { way: [], definition: 'flow: {}' },
    ]);
  });
});

describe('masked text', () => {
  function masking() {
    const { hub, events } = setUp();
    const received: RunEvent[] = [];
    const view = hub.with({ onEmit: (event) => received.push(event) }).with({ secrets });
    return { hub, view, events, received };
  }

  test('a piece without a secret is not copied', () => {
    const { view, received } = masking();
    const piece = text('hello ');
    view.emit(piece);
    expect(received[0]).toBe(piece);
  });

  test('what may begin a secret is held back until it is known, or until the next event of any view of the same scope', () => {
    const { view, received } = masking();
    view.emit(text('x api-'));
    view.emit(text('key y api'));
    view.with({}).emit(log('next'));
    expect(received).toEqual([text('x '), text(`${mark} y `), text('api'), log('next')]);
  });

  test('scopes hold back their own text', () => {
    const { view, received } = masking();
    view.emit(text('api-'));
    view.scoped({ task: { id: 'node:b' } }).emit(log('other'));
    expect(received).toEqual([log('other')]);
    view.emit(text('key'));
    view.emit(log('end'));
    expect(received.slice(1)).toEqual([text(mark), log('end')]);
  });
});
