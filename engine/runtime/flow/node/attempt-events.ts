/**
 * The events that one attempt of a node emits, and its child runs.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import { frozenCopy } from '../../../language/json/checked-json.ts';
import type { CallEvent, RunEvent } from '../../kernel/events/run-event.ts';
import { cancellation } from '../../kernel/hub/cancel-scope.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import type { EmitRules, HubHooks } from '../../kernel/hub/hub-hooks.ts';
import type { Spending } from '../../kernel/hub/spending.ts';
import { CallTracker } from '../../kernel/resume/called-runs.ts';
import type { ResumePoint } from '../../kernel/resume/resume-point.ts';

interface AttemptOptions {
  readonly spending: Spending;
  readonly clock: Clock;
  /** Child runs that are active in this attempt. */
  readonly formerCalls: readonly ResumePoint[];
  /** Whether the node may emit policy decisions. */
  readonly isGoverned: boolean;
}

/** One attempt's hub. It ends with the attempt; later events are discarded. */
export class AttemptEvents {
  /**
   * For the node. @throws EngineError `node.bad-event` for a value that is not an event or an event that nodes may not
   * emit
   */
  readonly hub: Hub;
  readonly #inner: Hub;
  readonly #gate = { isOpen: true };
  readonly #calls: CallTracker;
  readonly #shared: HubHooks;

  /** @param inner hub in the context of the node's task */
  constructor(inner: Hub, { spending, clock, formerCalls, isGoverned }: AttemptOptions) {
    this.#inner = inner;
    this.#calls = new CallTracker(inner, clock, formerCalls);
    this.#shared = { gate: this.#gate, calls: this.#calls, spending };
    this.hub = inner.with({ ...this.#shared, rules: isGoverned ? rulesOfGoverned : rulesOfNodes });
  }

  /**
   * Emits the result of a call made by the attempt.
   * @returns the event; undefined if the attempt has ended or the result is not JSON
   */
  emitCall(callKey: string, result: unknown): CallEvent | undefined {
    const copy = frozenCopy(result);
    if (!this.#gate.isOpen || !copy.ok) return undefined;
    const event: CallEvent = { type: 'call:complete', callKey, result: copy.value };
    this.#inner.emit(event);
    return event;
  }

  /**
   * The hub for the tool executor, which emits events that nodes may not: tool events and the decisions about them.
   * @param onEmit receives each event during the attempt
   */
  hubOfTools(onEmit: (event: RunEvent) => void): Hub {
    return this.#inner.with({ ...this.#shared, onEmit });
  }

  /** Returns the child runs that have not ended, with their progress. */
  calls(): readonly ResumePoint[] {
    return this.#calls.list();
  }

  /** Closes all the attempt's views, including those of its child runs. Active child runs stay open in the log. */
  close(): void {
    this.#gate.isOpen = false;
  }

  /**
   * Closes the views, and emits that child runs without an end are over, because nothing waits for them anymore.
   * @param why the reason why the attempt ended; absent if it ended on its own
   */
  abandon(why?: EngineError): void {
    this.close();
    this.#calls.close(this.#inner, () => why ?? cancellation());
  }
}

/** Events emitted only by the code that manages runs, phases, tasks, nodes and edges. */
const runnersOwn = /^(?:call|tool|run|exec|phase|task|node|step|edge|stage|governance):/;

const rulesOfNodes: EmitRules = {
  checked: (event) => checkedEvent(event, false),
  // A node may set only the agent.
  contextOf: ({ agent }) => (agent === undefined ? {} : { agent: { name: String(agent.name) } }),
};

const rulesOfGoverned: EmitRules = { ...rulesOfNodes, checked: (event) => checkedEvent(event, true) };

/** Returns a copy, because the node may change its event before it is logged. */
function checkedEvent(given: unknown, isGoverned: boolean): RunEvent {
  const copy = frozenCopy(given);
  const problem = copy.ok ? problemOf(copy.value, isGoverned) : [...copy.problem.path, copy.problem.message].join(' ');
  if (copy.ok && problem === undefined) return copy.value as unknown as RunEvent;
  throw new EngineError({ code: 'node.bad-event', message: `An event of the node ${problem}` });
}

function problemOf(event: unknown, isGoverned: boolean): string | undefined {
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string') {
    return 'has no type';
  }
  const isItsOwn = isGoverned && event.type === 'governance:decision';
  if (runnersOwn.test(event.type) && !isItsOwn) return `is ${event.type}, which nodes cannot emit`;
  const hasText = !('content' in event) || typeof event.content === 'string';
  return hasText ? undefined : 'has content that is not text';
}
