/**
 * The hub as one attempt sees it: open while the attempt lasts, so that what a node says too late goes nowhere, and only
 * for what nodes may tell.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { findNonJson } from '../flowspec/non-json.ts';
import type { Hub } from '../kernel/hub.ts';
import type { EventContext, RunEvent } from '../kernel/run-event.ts';
import type { Spending } from '../kernel/spending.ts';
import { SpendingHub } from '../kernel/spending-hub.ts';

export class AttemptHub implements Hub {
  readonly #inner: Hub;
  readonly #gate: { isOpen: boolean };
  readonly #spending: Spending;

  constructor(inner: Hub, spending: Spending, gate = { isOpen: true }) {
    this.#inner = inner;
    this.#spending = spending;
    this.#gate = gate;
  }

  /** @throws EngineError `node.bad-event` for what is no event, or one that is not a node's to tell */
  emit(event: RunEvent): void {
    if (!this.#gate.isOpen) return;
    refuseNonsense(event);
    if (event.type === 'model:response') this.#spending.add(event);
    this.#inner.emit(event);
  }

  /** Of the context, only the agent is a node's to say. */
  scoped({ agent }: Partial<EventContext>): Hub {
    const context = agent === undefined ? {} : { agent: { name: String(agent.name) } };
    return new AttemptHub(this.#inner.scoped(context), this.#spending, this.#gate);
  }

  /** A run that the attempt calls tells all of its own, as long as the attempt lasts. */
  child(runId: RunId): Hub {
    return new SpendingHub(this.#inner.child(runId), this.#spending, this.#gate);
  }

  flush(): void {
    this.#inner.flush();
  }

  get runId(): RunId {
    return this.#inner.runId;
  }

  get taskId(): string | undefined {
    return this.#inner.taskId;
  }

  /** Ends this view and all that were made from it. */
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
