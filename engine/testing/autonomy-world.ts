/** An engine with a tool that stores texts, for flows at autonomy levels. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunId } from '../base/ids.ts';
import type { Engine } from '../engine.ts';
import type { StartRun } from '../host/executor/start-request.ts';
import { createEngine } from '../index.ts';
import type { JsonValue } from '../language/json/json-value.ts';
import { foldRun } from '../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../runtime/kernel/events/run-state.ts';

type Told<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

const tool = `tool_id: note
description: Keeps a text.
input_schema: { type: object, properties: { text: { type: string } }, required: [text] }
run:
  js: |
    return { kept: input.text };
`;

export class AutonomyWorld {
  readonly workspace = mkdtempSync(path.join(tmpdir(), 'millrace-autonomy-'));
  #engine: Engine | undefined;

  static async open(): Promise<AutonomyWorld> {
    const world = new AutonomyWorld();
    mkdirSync(path.join(world.workspace, 'tools'));
    world.write('tools/note.tool.yaml', tool);
    await world.restart();
    return world;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('It is not open.');
    return this.#engine;
  }

  async restart(): Promise<void> {
    await this.#engine?.close();
    const { workspace } = this;
    this.#engine = await createEngine({
      workspace,
      homeFolder: path.join(workspace, 'no-home'),
      isTrusted: true,
    });
  }

  async close(): Promise<void> {
    await this.#engine?.close();
    rmSync(this.workspace, { recursive: true });
  }

  write(name: string, text: string): void {
    writeFileSync(path.join(this.workspace, name), text);
  }

  /** Runs a flow until it ends or waits. */
  async started(text: string, more: Partial<StartRun> = {}): Promise<RunId> {
    const { runId } = await this.engine.startRun({ path: 'act.flow.yaml', text, inputs: {}, ...more });
    await this.engine.whenEnded(runId);
    return runId;
  }

  async answer(runId: RunId, nodeId: string, approved = true): Promise<void> {
    await this.engine.resumeRun({ runId, nodeId, payload: { approved } });
    await this.engine.whenEnded(runId);
  }

  async logOf(runId: RunId): Promise<readonly EventEnvelope[]> {
    return await this.engine.readEvents(runId, -1, 10_000);
  }

  async stateOf(runId: RunId): Promise<RunState> {
    return foldRun(emptyRunState, await this.logOf(runId));
  }

  async told<Type extends RunEvent['type']>(runId: RunId, type: Type): Promise<readonly Told<Type>[]> {
    return (await this.logOf(runId)).flatMap(({ event }) => (event.type === type ? [event as Told<Type>] : []));
  }

  /** Returns the texts with which the tool was called. */
  async callsOf(runId: RunId): Promise<readonly JsonValue[]> {
    return (await this.told(runId, 'tool:attempt')).map(({ params }) => (params as { readonly text: string }).text);
  }

  /** Returns the waiting nodes of the run itself. */
  async waits(runId: RunId): Promise<readonly string[]> {
    const { nodes } = await this.stateOf(runId);
    return [...nodes.values()].flatMap(({ nodeId, status }) => (status === 'suspended' ? [nodeId] : []));
  }
}

/** Returns a node that calls the tool with its own id. @param more further keys, after a comma */
export const call = (id: string, more = ''): string =>
  `{ id: ${id}, type: tool, config: { tool: note }, input: { text: "${id}" }${more} }`;

export const approval = (id: string, more = ''): string =>
  `{ id: ${id}, type: human_approval, input: { title: "May it go on?" }${more} }`;

export const edge = (from: string, to: string): string => `{ from: ${from}, to: ${to} }`;

/** Returns a flow with these nodes and edges. @param level undefined to declare none */
export function flowAt(level: string | undefined, nodes: readonly string[], edges: readonly string[] = []): string {
  const policy = level === undefined ? '' : `, policy: { autonomy: ${level} }`;
  return `flow: { name: Act${policy} }
nodes:
${nodes.map((node) => `  - ${node}`).join('\n')}
edges: [${edges.join(', ')}]
`;
}

/** Returns a flow with these nodes as a chain. */
export function chainAt(level: string | undefined, nodes: Readonly<Record<string, string>>): string {
  const ids = Object.keys(nodes);
  const edges = ids.slice(1).map((id, at) => edge(ids[at] ?? '', id));
  return flowAt(level, Object.values(nodes), edges);
}
