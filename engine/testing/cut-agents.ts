/**
 * Interrupts runs of agents at a position in their log and resumes them, in a real history, with a model that counts
 * its requests.
 */

import type { RunId } from '../base/ids.ts';
import type { EndedRun } from '../host/executor/active-runs.ts';
import type { ResumeRun } from '../host/executor/continuation.ts';
import { foldRun } from '../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../runtime/kernel/events/run-state.ts';
import { cutBehind } from './cut-run.ts';
import { createTestExecutor, type TestExecutor } from './executor-world.ts';
import { scriptSection } from './run-agent-file.ts';

/** An agent with all stages. Output adds `!` to the model's response, which is the prompt in `<` and `>`. */
export const wholeAgent = `${scriptSection('Before All', 'return "x"')}
# User
{{input}} {{before_all}}
${scriptSection('Output', 'return ai_response.content .. "!"')}${scriptSection('After All', 'return #outputs')}`;

/** A flow with the agent `a.aip` for three inputs. */
export const flowWithAgent = `
flow: { name: Around }
nodes:
  - { id: work, type: agent, input: { agent: a.aip, inputs: [a, b, c] } }
  - { id: after, type: constant, input: { value: done } }
edges: [{ from: work, to: after }]`;

/** Returns a predicate for the `n`th event of a type, from 1. */
export function nthOf(type: RunEvent['type'], n: number): (event: RunEvent) => boolean {
  let count = 0;
  return (event) => event.type === type && ++count === n;
}

export class CutAgents {
  readonly world: TestExecutor;
  /** Model requests in order; cleared by the test. */
  readonly asked: string[];

  private constructor(world: TestExecutor, asked: string[]) {
    this.world = world;
    this.asked = asked;
  }

  /** Opens the environment, which the caller must close. */
  static async open(): Promise<CutAgents> {
    const asked: string[] = [];
    const world = await createTestExecutor({
      reply({ messages }) {
        const text = messages.at(-1)?.content.trim() ?? '';
        asked.push(text);
        const usage = { promptTokens: 1, completionTokens: 1 };
        return { text: `<${text}>`, finishReason: 'stop', usage, costUsd: 0.5 };
      },
    });
    return new CutAgents(world, asked);
  }

  logOf(runId: RunId): readonly EventEnvelope[] {
    return this.world.store.readEvents(runId, -1, 100_000);
  }

  stateOf(runId: RunId): RunState {
    return foldRun(emptyRunState, this.logOf(runId));
  }

  /** Runs `a.aip` to its end. */
  async startAgent(inputs: readonly string[] = ['a', 'b', 'c']): Promise<RunId> {
    const accepted = await this.world.executor.startAgent({ agent: 'a.aip', inputs });
    if ('work' in accepted) throw new Error('Nothing is missing');
    await this.#ended(accepted);
    return accepted.runId;
  }

  /** Runs a flow to its end. */
  async startFlow(text: string): Promise<RunId> {
    const accepted = await this.world.run(text);
    await this.#ended(accepted);
    return accepted.runId;
  }

  /** Returns the same run, interrupted after the first event that `isLast` accepts. Resets the request count. */
  async cut(whole: Promise<RunId>, isLast: (event: RunEvent) => boolean): Promise<RunId> {
    const log = this.logOf(await whole);
    const index = log.findIndex(({ event }) => isLast(event));
    if (index === -1) throw new Error('There is no such event');
    return this.cutBehind(log.slice(0, index + 1));
  }

  cutBehind(log: readonly EventEnvelope[]): RunId {
    this.asked.length = 0;
    return cutBehind(this.world, log);
  }

  async resume(runId: RunId, answer: Omit<ResumeRun, 'runId'> = {}): Promise<EndedRun> {
    return await this.#ended(await this.world.executor.resumeRun({ runId, ...answer }));
  }

  /** Resumes until the run has ended and approves all requests; returns the names of the requesting nodes. */
  async toItsEnd(runId: RunId): Promise<readonly string[]> {
    let end = await this.resume(runId);
    while (end.status === 'suspended') end = await this.resume(runId, { decision: 'approve' });
    return this.logOf(runId).flatMap(({ event }) => (event.type === 'node:suspended' ? [event.nodeId] : []));
  }

  /** Redos of called agents wait for the clock, and scripts run in separate threads. */
  async #ended(accepted: { readonly ended: Promise<EndedRun> }): Promise<EndedRun> {
    let end: EndedRun | undefined;
    const whenEnded = accepted.ended.then((one) => {
      end = one;
    });
    while (end === undefined) {
      await this.world.clock.advance(100);
      await Promise.race([whenEnded, new Promise((resolve) => setTimeout(resolve, 1))]);
    }
    return end;
  }
}
