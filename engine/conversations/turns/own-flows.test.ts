import { afterEach, expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { BaseFlow, type FillContext, type FlowClass } from '../catalog/base-flow.ts';
import { gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const files = {
  'desk.dialogue.yaml': `
nlu: { script: nlu.yaml }
intents: { Order: {}, Read: {} }
flows:
  - name: refund
    intent: Order
    description: Pays back.
    slots:
      number: { type: exact, priority: required }
      amount: { type: level, priority: required }
      reason: { type: exact, priority: optional, question: "Why?" }
    policy: { flow: refund.flow.yaml }
  - { name: ship, intent: Order, description: Ships., slots: { number: { type: exact, priority: required } }, policy: { flow: ship.flow.yaml } }
`,
  'nlu.yaml': `
- { match: "refund", flow: refund, slots: { number: { word: "[a-z]{2}-\\\\d+" } } }
- { match: "ship", flow: ship, slots: { number: { word: "[a-z]{2}-\\\\d+" } } }
`,
  'refund.flow.yaml': gives(
    'Refund',
    '{ reply: "{{flow.input.amount}} for {{flow.input.number}}: {{?flow.input.reason}}" }',
  ),
  'ship.flow.yaml': gives('Ship', '{ reply: "{{flow.input.number}} is on its way" }'),
};

class OrderParentFlow extends BaseFlow {
  static override readonly intent = 'Order';

  override fillSlotsByLabel(labels: JsonMap): boolean {
    const { number } = labels;
    return super.fillSlotsByLabel(typeof number === 'string' ? { ...labels, number: number.toUpperCase() } : labels);
  }
}

let price = 180;
class RefundFlow extends OrderParentFlow {
  static override readonly flowName = 'refund';

  override isFilled(): boolean {
    const { amount, reason } = this.slotValues();
    return super.isFilled() && (Number(amount ?? 0) <= 100 || reason !== undefined);
  }

  override async fillSlotValues(_context: FillContext): Promise<boolean> {
    if (this.slotValues()['amount'] === undefined) this.fillSlotsByLabel({ amount: price });
    return this.isFilled();
  }
}

test("FS-06 flows of a conversation are objects of the host program's classes, which extend those for their intent", async () => {
  desk = await TestDesk.open(files, { flows: [OrderParentFlow, RefundFlow] });
  expect(await desk.say('ship cd-34')).toBe('CD-34 is on its way');
  expect(await desk.say('refund cd-34')).toBe('Why?');
  expect(await desk.stack()).toEqual(['refund:Active']);
  expect(await desk.say('it broke')).toBe('180 for CD-34: it broke');
});

test('FS-08 a result of a custom class is kept, even if it would be different when the turn is repeated', async () => {
  desk = await TestDesk.open(files, { flows: [RefundFlow] });
  price = 40;
  const cut = new Promise<void>((resolve, reject) => {
    desk.engine.watchConversation(desk.sessionId, (notice) => {
      const isFilled = notice.type === 'events' && notice.events.some(({ event }) => event.type === 'step:result');
      if (isFilled) desk.engine.close().then(resolve, reject);
    });
  });
  await desk.engine.sayInConversation({ sessionId: desk.sessionId, text: 'refund cd-34' });
  await cut;
  price = 50;
  await desk.start({ flows: [RefundFlow] });
  await desk.engine.openConversation(desk.sessionId);
  await desk.settled('turn:end', 1);
  expect((await desk.view()).messages.at(-1)?.text).toContain('40 for CD-34');
});

class Nameless extends BaseFlow {}

class Alias extends RefundFlow {
  override is_filled(): boolean {
    return true;
  }
}

test.each<[string, readonly FlowClass[], string]>([
  ['extends something else', [class {} as unknown as FlowClass], 'does not extend BaseFlow'],
  ['has neither name nor intent', [Nameless], 'neither a static flowName nor a static intent'],
  ['overrides an alias', [Alias], 'Override isFilled instead'],
  ['is registered twice', [RefundFlow, class extends RefundFlow {}], 'Two classes are registered for the flow refund'],
])('rejects a class that %s when the engine is opened', async (_, flows, words) => {
  await expect(TestDesk.open(files, { flows })).rejects.toMatchObject({
    code: 'flow-class.invalid',
    message: expect.stringContaining(words),
  });
});
