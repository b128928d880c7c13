/**
 * Facts → what is true now. The canvas, the run list, the command line's progress and the history all fold events with
 * this one function; nothing else interprets them.
 */
import { assertNever } from '../base/assert-never.ts';
import { addUsage } from './model-usage.ts';
import type {
  EdgeEvent,
  EventEnvelope,
  ModelUsage,
  NodeEvent,
  RunEndEvent,
  RunStartEvent,
  TaskEvent,
} from './run-event.ts';
import type { NodeState, RunState } from './run-state.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type NodeDraft = Mutable<NodeState>;

const nodeTaskPrefix = 'node:';

/**
 * Folds a batch: copies each collection once, however many events there are. Never changes `state`. Events that are
 * part of `state` already (by `seq`) are passed over, so overlapping batches do no harm.
 */
export function foldRun(state: RunState, events: readonly EventEnvelope[]): RunState {
  const draft = new RunDraft(state);
  for (const envelope of events) {
    if (envelope.seq > draft.seq) draft.apply(envelope);
  }
  return draft.finished();
}

/** Folds one event. */
export function reduceRun(state: RunState, event: EventEnvelope): RunState {
  return foldRun(state, [event]);
}

/** The working copy: what one batch touches is copied once and then written in place. */
class RunDraft {
  readonly #base: RunState;
  readonly #run: Mutable<RunState>;
  /** The nodes that this batch has copied already. */
  readonly #touched = new Map<string, NodeDraft>();
  #nodes: Map<string, NodeState> | undefined;
  #firedEdges: Set<string> | undefined;
  #skippedEdges: Set<string> | undefined;
  #failedNodes: string[] | undefined;

  constructor(base: RunState) {
    this.#base = base;
    this.#run = { ...base };
  }

  get seq(): number {
    return this.#run.seq;
  }

  /** The state after all applied events; the very same object when there were none. */
  finished(): RunState {
    return this.#run.seq === this.#base.seq ? this.#base : this.#run;
  }

  apply(envelope: EventEnvelope): void {
    const { event } = envelope;
    this.#run.seq = envelope.seq;
    switch (event.type) {
      case 'run:start':
        this.#startRun(envelope, event);
        break;
      case 'run:suspended':
        this.#run.status = 'suspended';
        break;
      case 'run:resumed':
        this.#run.status = 'running';
        break;
      case 'run:end':
        this.#endRun(event);
        break;
      case 'task:start':
      case 'task:complete':
      case 'task:failed':
      case 'task:cancelled':
        this.#applyTask(event, envelope.at);
        break;
      case 'node:skipped':
      case 'node:input':
      case 'node:retry':
      case 'node:reused':
      case 'node:suspended':
        this.#applyNode(event, envelope.at);
        break;
      case 'edge:fired':
      case 'edge:skipped':
        this.#applyEdge(event);
        break;
      case 'agent:start':
        this.#addText(envelope, '');
        break;
      case 'agent:text':
        this.#addText(envelope, event.content);
        break;
      case 'model:response':
        this.#addUsage(envelope, event.usage);
        break;
      case 'agent:complete':
      case 'agent:failed':
      case 'agent:thinking':
      case 'model:request':
      case 'phase:start':
      case 'phase:complete':
      case 'phase:failed':
      case 'phase:cancelled':
        break;
      default:
        assertNever(event);
    }
  }

  #startRun({ runId, at }: EventEnvelope, event: RunStartEvent): void {
    this.#run.runId = runId;
    this.#run.name = event.name;
    this.#run.sourcePath = event.sourcePath;
    this.#run.status = 'running';
    this.#run.startedAt = at;
    this.#run.inputs = event.inputs;
    this.#run.redoOf = event.redoOf ?? null;
    this.#run.redoCount = event.redoCount ?? 0;
    this.#run.rerunOf = event.rerunOf ?? null;
    this.#run.rerunFromNode = event.rerunFromNode ?? null;
  }

  #endRun(event: RunEndEvent): void {
    this.#run.status = event.status;
    this.#run.durationMs = event.durationMs;
    this.#run.output = event.output;
    this.#run.error = event.error;
    this.#run.failedNodes = event.failedNodes;
  }

  #applyTask(event: TaskEvent, at: number): void {
    if (event.nodeId === undefined) return;
    if (event.type === 'task:start') {
      this.#startNode(event.nodeId, event.nodeType, at);
      return;
    }
    const node = this.#node(event.nodeId);
    node.endedAt = at;
    delete node.request;
    if (event.type === 'task:cancelled') {
      node.status = 'cancelled';
      node.durationMs = at - (node.startedAt ?? at);
      return;
    }
    node.durationMs = event.durationMs;
    node.attempts = event.attempts;
    if (event.type === 'task:complete') {
      node.status = 'completed';
      node.output = event.result;
      delete node.error;
    } else {
      node.status = 'failed';
      node.error = event.error;
      this.#failedNodes ??= [...this.#run.failedNodes];
      this.#failedNodes.push(event.nodeId);
      this.#run.failedNodes = this.#failedNodes;
    }
  }

  #startNode(nodeId: string, nodeType: string | undefined, startedAt: number): void {
    this.#setNode({
      nodeId,
      ...(nodeType === undefined ? {} : { nodeType }),
      status: 'running',
      startedAt,
      attempts: 1,
      text: '',
    });
  }

  #applyNode(event: NodeEvent, at: number): void {
    switch (event.type) {
      case 'node:skipped': {
        const { nodeId, reason, detail } = event;
        const skip = detail === undefined ? { reason } : { reason, detail };
        this.#setNode({ nodeId, status: 'skipped', endedAt: at, attempts: 0, text: '', skip });
        return;
      }
      case 'node:input':
        this.#node(event.nodeId).input = event.input;
        return;
      case 'node:retry': {
        const node = this.#node(event.nodeId);
        node.status = 'retrying';
        node.attempts = event.attempt + 1;
        node.error = event.error;
        return;
      }
      case 'node:reused': {
        const { nodeId, fromRunId, output } = event;
        this.#setNode({ nodeId, status: 'reused', endedAt: at, attempts: 0, text: '', output, fromRunId });
        return;
      }
      case 'node:suspended': {
        const node = this.#node(event.nodeId);
        node.status = 'suspended';
        node.request = event.request;
        return;
      }
      default:
        assertNever(event);
    }
  }

  #applyEdge({ type, edgeId }: EdgeEvent): void {
    if (type === 'edge:fired') {
      this.#firedEdges ??= new Set(this.#base.firedEdges);
      this.#run.firedEdges = this.#firedEdges.add(edgeId);
    } else {
      this.#skippedEdges ??= new Set(this.#base.skippedEdges);
      this.#run.skippedEdges = this.#skippedEdges.add(edgeId);
    }
  }

  #addText(envelope: EventEnvelope, content: string): void {
    const nodeId = nodeIdOf(envelope);
    if (nodeId === undefined) return;
    const node = this.#node(nodeId);
    // The text of the attempt that failed stays to be read until the next one has something to say.
    if (node.status === 'retrying') {
      node.status = 'running';
      node.text = '';
      delete node.error;
    }
    node.text += content;
  }

  #addUsage(envelope: EventEnvelope, usage: ModelUsage | undefined): void {
    if (usage === undefined) return;
    this.#run.usage = addUsage(this.#run.usage, usage);
    const nodeId = nodeIdOf(envelope);
    if (nodeId === undefined) return;
    const node = this.#node(nodeId);
    node.usage = node.usage === undefined ? usage : addUsage(node.usage, usage);
  }

  /** The batch's own copy of a node, made on the first touch. */
  #node(nodeId: string): NodeDraft {
    const touched = this.#touched.get(nodeId);
    if (touched !== undefined) return touched;
    const known = this.#base.nodes.get(nodeId);
    return this.#setNode(known === undefined ? { nodeId, status: 'running', attempts: 1, text: '' } : { ...known });
  }

  #setNode(node: NodeDraft): NodeDraft {
    this.#nodes ??= new Map(this.#base.nodes);
    this.#run.nodes = this.#nodes;
    this.#nodes.set(node.nodeId, node);
    this.#touched.set(node.nodeId, node);
    return node;
  }
}

function nodeIdOf({ context: { task } }: EventEnvelope): string | undefined {
  return task?.id.startsWith(nodeTaskPrefix) ? task.id.slice(nodeTaskPrefix.length) : undefined;
}
