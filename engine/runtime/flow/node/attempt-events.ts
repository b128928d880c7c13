/**
 * What one attempt of a node emits, and the runs that it calls.
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
  /** Runs that are active in this attempt. */
  readonly formerCalls: readonly ResumePoint[];
  /** Whether the node may emit what a policy decided. */
  readonly isGoverned: boolean;
}

/** The hub of one attempt, which ends with the attempt: what is emitted later goes nowhere. */
export class AttemptEvents {
  /** For the node. Throws EngineError `node.bad-event` for what is not an event, or not one that nodes may emit. */
  readonly hub: Hub;
  readonly #inner: Hub;
  readonly #gate = { isOpen: true };
  readonly #calls: CallTracker;
  readonly #shared: HubHooks;

  /** @param inner in the context of the node's task */
  constructor(inner: Hub, { spending, clock, formerCalls, isGoverned }: AttemptOptions) {
    this.#inner = inner;
    this.#calls = new CallTracker(inner, clock, formerCalls);
    this.#shared = { gate: this.#gate, calls: this.#calls, spending };
    this.hub = inner.with({ ...this.#shared, rules: isGoverned ? rulesOfGoverned : rulesOfNodes });
  }

  /**
   * Emits what a call of the attempt returned.
   * @returns the event; undefined if the attempt is over or the result is not JSON
   */
  emitCall(callKey: string, result: unknown): CallEvent | undefined {
    const copy = frozenCopy(result);
    if (!this.#gate.isOpen || !copy.ok) return undefined;
    const event: CallEvent = { type: 'call:complete', callKey, result: copy.value };
    this.#inner.emit(event);
    return event;
  }

  /**
   * The hub for the executor of tools, which emits what nodes may not: events about tools, and what was decided about them.
   * @param onEmit receives each event while the attempt lasts
   */
  hubOfTools(onEmit: (event: RunEvent) => void): Hub {
    return this.#inner.with({ ...this.#shared, onEmit });
  }

  /** Returns the called runs that have not ended, with their progress. */
  calls(): readonly ResumePoint[] {
    return this.#calls.list();
  }

  /** Closes all views of the attempt, those of the runs that it called included. Active runs stay open in the log. */
  close(): void {
    this.#gate.isOpen = false;
  }

  /**
   * Closes, and emits that called runs without an end are over, because nothing waits for them anymore.
   * @param why what has ended the attempt; absent when it ended by itself
   */
  abandon(why?: EngineError): void {
    this.close();
    this.#calls.close(this.#inner, () => why ?? cancellation());
  }
}

/** Events that the code emits that decides about runs, phases, tasks, nodes and edges. */
const runnersOwn = /^(?:call|tool|run|exec|phase|task|node|step|edge|stage|governance):/;

const rulesOfNodes: EmitRules = {
  checked: (event) => checkedEvent(event, false),
  // Only the agent is a node's to set.
  contextOf: ({ agent }) => (agent === undefined ? {} : { agent: { name: String(agent.name) } }),
};

const rulesOfGoverned: EmitRules = { ...rulesOfNodes, checked: (event) => checkedEvent(event, true) };

/** Returns a copy: the node may change its event before that is in the log. */
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
