/**
 * Simulates a recorded run at another autonomy level: where it would have asked a person, and what it would only have
 * suggested. Nothing is executed: all data comes from the log and the definitions.
 */
import type { RunId } from '../../base/ids.ts';
import { type AutonomyLevel, lowerOf } from '../../language/flow/autonomy.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { ApprovalTrail } from '../../runtime/flow/approval-trail.ts';
import { planOf } from '../../runtime/flow/graph-plan.ts';
import { actingWith } from '../../runtime/flow/node/acting.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import { judgeAct } from '../../runtime/governance/autonomy.ts';
import type { EventEnvelope, RunEvent, RunStartEvent } from '../../runtime/kernel/events/run-event.ts';
import { endedTask } from '../../runtime/kernel/events/task-events.ts';

/** An effect that the level would have held back. */
export interface HeldAct {
  /** `seq` of the event at which the effect would have happened. */
  readonly seq: number;
  readonly kind: 'pause' | 'suggestion';
  /** Full name of the node. In a called run, it follows the name of the caller and a `/`. */
  readonly nodeId: string;
  /** The tool that would have been called; absent if the node acts itself. */
  readonly tool?: string;
  /** The call's parameters. Large values are handles. */
  readonly params: JsonValue;
  /** Whether a model chose to call the tool. */
  readonly byModel?: true;
}

/** Functions that the simulation uses to read the log. */
export interface SimulationWorld {
  /** Returns the flow with this hash, and its node types; undefined if it is not available. */
  readonly flowOf: (hash: string) => SimulatedFlow | undefined;
  /** Returns the value, after resolving a handle. */
  readonly whole: (value: JsonValue) => JsonValue;
}

export interface SimulatedFlow {
  readonly flow: CompiledFlow;
  readonly registry: NodeTypeLookup;
}

/** The graph of a flow, or of one item or iteration of a loop in a flow. */
interface SimulatedGraph {
  readonly node: CompiledNode;
  readonly trail: ApprovalTrail;
  readonly rank: number;
  readonly outputs: Map<string, JsonValue>;
}

/** Processes the events of a run and its child runs in order. */
export class AutonomySimulation {
  readonly #level: AutonomyLevel;
  readonly #world: SimulationWorld;
  readonly #runs = new Map<RunId, SimulatedRun>();

  constructor(level: AutonomyLevel, world: SimulationWorld) {
    this.#level = level;
    this.#world = world;
  }

  take(envelope: EventEnvelope): readonly HeldAct[] {
    const { runId, event } = envelope;
    if (event.type === 'run:start') this.#runs.set(runId, this.#begin(envelope, event));
    return this.#runs.get(runId)?.take(envelope) ?? [];
  }

  #begin({ parentRunId }: EventEnvelope, event: RunStartEvent): SimulatedRun {
    const { definitionHash, kind, parentTaskId = '' } = event;
    const known = kind === 'flow' ? this.#world.flowOf(definitionHash) : undefined;
    const caller = parentRunId === undefined ? undefined : this.#runs.get(parentRunId);
    const above = caller === undefined ? '' : `${caller.nameOf(parentTaskId)}/`;
    const declared = caller === undefined ? undefined : known?.flow.policy.autonomy;
    const level = lowerOf(caller?.level ?? this.#level, declared);
    const isHeld = caller !== undefined && (caller.isHeld || caller.holds(parentTaskId));
    return new SimulatedRun({ known, level, above, isHeld, whole: this.#world.whole });
  }
}

interface RunParts {
  /** Undefined for agents. */
  readonly known: SimulatedFlow | undefined;
  readonly level: AutonomyLevel;
  /** Prefix of the names of its nodes. */
  readonly above: string;
  /** Whether the run would never have been called. */
  readonly isHeld: boolean;
  readonly whole: (value: JsonValue) => JsonValue;
}

class SimulatedRun {
  readonly level: AutonomyLevel;
  readonly isHeld: boolean;
  readonly #parts: RunParts;
  readonly #graphs: ReadonlyMap<string, CompiledGraph>;
  readonly #passes = new Map<string, Omit<SimulatedGraph, 'node' | 'rank'>>();
  readonly #inputs = new Map<string, JsonMap>();
  /** Nodes that would only have produced a suggestion. */
  readonly #suggested = new Set<string>();
  /** Nodes and calls that have already been evaluated, because interrupted or suspended ones start again. */
  readonly #judged = new Set<string>();

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.level = parts.level;
    this.isHeld = parts.isHeld;
    this.#graphs = graphsIn(parts.known?.flow);
  }

  /** Returns the full name of a task's node or input. */
  nameOf(taskId: string): string {
    return this.#parts.above + taskId.replace(/^node:/, '');
  }

  /** Returns whether a task's node would not have run. */
  holds(taskId: string): boolean {
    return this.#suggested.has(taskId.replace(/^node:/, ''));
  }

  take({ seq, event, context: { task } }: EventEnvelope): readonly HeldAct[] {
    if (this.isHeld) return [];
    this.#note(event);
    const act = this.#actOf(event, task?.id ?? '');
    if (act === undefined) return [];
    const { nodeId, tool, params, byModel } = act;
    const target = tool ?? nodeId;
    const approvedBy = byModel === true ? undefined : this.#placeOf(nodeId)?.trail.before({ id: idIn(nodeId) });
    const { decision } = judgeAct(this.level, {
      act: tool === undefined ? 'node' : 'tool',
      target,
      params: {},
      approvedBy,
    });
    if (decision === 'suggest' && byModel === undefined) this.#suggested.add(nodeId);
    if (decision === 'allow') return [];
    const kind = decision === 'ask' ? 'pause' : 'suggestion';
    return [{ seq, kind, ...act, nodeId: this.nameOf(nodeId), params }];
  }

  /** Records the outputs of nodes, and the branches that were taken. */
  #note(event: RunEvent): void {
    const ended = endedTask(event);
    if (ended !== undefined && ('result' in ended || 'error' in ended)) {
      const place = this.#placeOf(ended.nodeId ?? '');
      place?.trail.noteRun(place.rank);
      if ('result' in ended) place?.outputs.set(place.node.id, this.#parts.whole(ended.result));
    }
    switch (event.type) {
      case 'node:input': {
        const input = this.#parts.whole(event.input);
        if (isJsonMap(input)) this.#inputs.set(event.nodeId, input);
        break;
      }
      case 'edge:fired': {
        const [from, to] = [this.#placeOf(event.from), this.#placeOf(event.to)];
        if (from !== undefined && to !== undefined) to.trail.noteFired(from.rank, to.rank);
        break;
      }
      default:
    }
  }

  #actOf(event: RunEvent, taskId: string): Omit<HeldAct, 'seq' | 'kind'> | undefined {
    switch (event.type) {
      case 'node:input':
        return this.#once(event.nodeId) ? this.#actOfNode(event.nodeId, event.input) : undefined;
      case 'node:skipped': {
        const { nodeId, suggestion } = event;
        return suggestion === undefined ? undefined : { nodeId, ...suggestion };
      }
      case 'governance:decision':
        return event.suggestion === undefined ? undefined : this.#ofModel(taskId, event.suggestion);
      case 'approval:requested':
        return this.#callThatAsks(event.key, event.request, taskId);
      case 'tool:attempt': {
        const { tool, params, callKey } = event;
        return this.#once(`${taskId} ${callKey}`) ? this.#ofModel(taskId, { tool, params }) : undefined;
      }
      default:
        return undefined;
    }
  }

  #once(name: string): boolean {
    if (this.#judged.has(name)) return false;
    this.#judged.add(name);
    return true;
  }

  #actOfNode(nodeId: string, params: JsonValue): Omit<HeldAct, 'seq' | 'kind'> | undefined {
    const { known } = this.#parts;
    const place = this.#placeOf(nodeId);
    if (known === undefined || place === undefined) return undefined;
    const acting = actingWith(place.node, this.#inputs.get(nodeId), known.registry);
    if (acting === 'not' || acting === 'below') return undefined;
    const tool = acting === 'tool' ? { tool: String(place.node.config['tool'] ?? '') } : {};
    return { nodeId, ...tool, params };
  }

  /** Returns a call that requested an approval. It counts even if it was rejected. */
  #callThatAsks(key: string, request: object, taskId: string): Omit<HeldAct, 'seq' | 'kind'> | undefined {
    const { action, params = {} } = request as { readonly action?: JsonValue; readonly params?: JsonValue };
    const tool = isJsonMap(action) ? action['tool'] : undefined;
    if (typeof tool !== 'string' || !this.#once(`${taskId} ${key}`)) return undefined;
    return this.#ofModel(taskId, { tool, params });
  }

  /**
   * Returns the effect of a model's tool call; undefined for a tool node's call, which was evaluated together with its
   * node.
   */
  #ofModel(
    taskId: string,
    call: Pick<HeldAct, 'params'> & { readonly tool?: string },
  ): Omit<HeldAct, 'seq' | 'kind'> | undefined {
    const nodeId = taskId.replace(/^node:/, '');
    if (this.#judged.has(nodeId) && this.#placeOf(nodeId)?.node.type === 'tool') return undefined;
    return { nodeId, ...call, byModel: true };
  }

  #placeOf(name: string): SimulatedGraph | undefined {
    const id = idIn(name);
    const graph = this.#graphs.get(id);
    if (graph === undefined) return undefined;
    const plan = planOf(graph);
    const rank = plan.rankOf.get(id) ?? -1;
    const node = plan.nodes[rank];
    const prefix = name.slice(0, name.length - id.length);
    const pass = this.#passes.get(prefix) ?? this.#begin(prefix, graph);
    return node === undefined ? undefined : { ...pass, node, rank };
  }

  #begin(prefix: string, graph: CompiledGraph): Omit<SimulatedGraph, 'node' | 'rank'> {
    const outputs = new Map<string, JsonValue>();
    const hasActed = (node: CompiledNode): boolean => {
      const { known } = this.#parts;
      return known !== undefined && actingWith(node, this.#inputs.get(prefix + node.id), known.registry) !== 'not';
    };
    const pass = { trail: new ApprovalTrail(planOf(graph), { prefix, outputs, hasActed }), outputs };
    this.#passes.set(prefix, pass);
    return pass;
  }
}

/**
 * Returns the ID of a node without the loop in its full name. Step names may contain dots, but steps are never in
 * loops.
 */
function idIn(name: string): string {
  return name.includes('[') ? name.slice(name.lastIndexOf('.') + 1) : name;
}

/** Returns the graph that contains each node, by node ID. */
function graphsIn(flow: CompiledGraph | undefined): ReadonlyMap<string, CompiledGraph> {
  const found = new Map<string, CompiledGraph>();
  const collect = (graph: CompiledGraph): void => {
    for (const { id, body } of graph.nodes) {
      found.set(id, graph);
      if (body !== undefined) collect(body);
    }
  };
  if (flow !== undefined) collect(flow);
  return found;
}
