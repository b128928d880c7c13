/**
 * The hub as one attempt sees it: open while the attempt lasts, so that what a node says too late goes nowhere, and only
 * for what nodes may tell.
 */
import { EngineError } from '../base/engine-error.ts';
import { findNonJson } from '../flowspec/non-json.ts';
import type { Hub } from '../kernel/hub.ts';
import type { EventContext, RunEvent } from '../kernel/run-event.ts';
import type { Spending } from '../kernel/spending.ts';
import { SpendingHub } from '../kernel/spending-hub.ts';

export class AttemptHub extends SpendingHub {
  readonly #gate: { isOpen: boolean };

  constructor(inner: Hub, spending: Spending, gate = { isOpen: true }) {
    super(inner, spending, gate);
    this.#gate = gate;
  }

  /** @throws EngineError `node.bad-event` for what is no event, or one that is not a node's to tell */
  override emit(event: RunEvent): void {
    if (!this.#gate.isOpen) return;
    refuseNonsense(event);
    super.emit(event);
  }

  /** Of the context, only the agent is a node's to say. */
  override scoped({ agent }: Partial<EventContext>): Hub {
    const context = agent === undefined ? {} : { agent: { name: String(agent.name) } };
    return new AttemptHub(this.inner.scoped(context), this.spending, this.#gate);
  }

  /** Ends this view and all that were made from it, runs that the attempt calls among them. */
  close(): void {
    this.#gate.isOpen = false;
  }
}

/** What becomes of runs, phases, tasks, nodes and edges is told by those who decide it. */
const runnersOwn = /^(?:run|exec|phase|task|node|edge|stage|governance):/;

function refuseNonsense(event: unknown): void {
  const problem = problemOf(event);
  if (problem === undefined) return;
  throw new EngineError({ code: 'node.bad-event', message: `What it told on its hub ${problem}` });
}

function problemOf(event: unknown): string | undefined {
  const nonJson = findNonJson(event);
  if (nonJson !== undefined) return [...nonJson.path, nonJson.message].join(' ');
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string') {
    return 'has no type, so it is no event';
  }
  if (runnersOwn.test(event.type)) return `is ${event.type}, which is not for nodes to tell`;
  const hasText = !('content' in event) || typeof event.content === 'string';
  return hasText ? undefined : 'has a content that is no text';
}
