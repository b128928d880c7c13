/**
 * Runs with paid work, and their reruns: what was paid for again, and what was reused.
 */
import type { RunId } from '../base/ids.ts';
import type { RunEvent } from '../runtime/kernel/events/run-event.ts';
import { builtinNodes } from '../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from './executor-world.ts';
import { testNode } from './test-node.ts';

export class PaidRuns {
  /** Texts that the type `paid` received since the last start or rerun. */
  readonly paid: string[] = [];
  /** Texts for which it fails, until the next start or rerun has ended. */
  readonly bad = new Set<string>();
  /** The settings that it uses. */
  settings = 'first';
  world!: TestExecutor;

  async open(): Promise<this> {
    const node = testNode(
      'paid',
      async ({ input }) => {
        const text = String(input['text']);
        this.paid.push(text);
        if (this.bad.has(text)) throw new Error(`no ${text}`);
        return { text: `answer to ${text}` };
      },
      'idempotent',
    );
    const tuned = { ...node, settingsOf: async () => this.settings };
    this.world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, tuned]) });
    return this;
  }

  async start(text: string, inputs = {}): Promise<RunId> {
    const { runId, ended } = await this.world.executor.startRun({ path: 'a.flow.yaml', text, inputs });
    await ended;
    this.paid.length = 0;
    this.bad.clear();
    return runId;
  }

  /** Plans a rerun and executes it. */
  async rerun(runId: RunId, text: string, nodeId?: string) {
    this.paid.length = 0;
    const request = { runId, text, ...(nodeId === undefined ? {} : { nodeId }) };
    const plan = await this.world.executor.plans.planRerun(request);
    const { runId: again, ended } = await this.world.executor.rerunFrom(request);
    const { status } = await ended;
    const loop = plan.find((step) => step.nodeId === 'each');
    return { runId: again, status, plan: loop, paid: [...this.paid], ...this.read(again) };
  }

  read(runId: RunId) {
    const events = this.world.store.readEvents(runId, -1, 20_000).map(({ event }) => event);
    const taken = events.filter((event) => event.type === 'node:reused');
    const end = events.find((event): event is Extract<RunEvent, { type: 'run:end' }> => event.type === 'run:end');
    return { taken, reused: taken.map(({ nodeId }) => nodeId), output: end?.output };
  }
}
