/**
 * Starts and reads runs for conversations.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { Executor } from '../../host/executor/executor.ts';
import { readWaiting } from '../../host/executor/run-answers.ts';
import { readLog } from '../../host/reads/read-log.ts';
import { isReadingFlow, isReadingRequest, isReadingTool } from '../../host/workspace/reading-flows.ts';
import type { ParsedFlow } from '../../language/flow/parse-flow.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { unpackDefinition } from '../../language/flow/stored-definition.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { ToolsCapability } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { endedTask, startedTask } from '../../runtime/kernel/events/task-events.ts';
import type { NodeRegistry } from '../../runtime/nodes/node-registry.ts';
import type { OutsideEffect } from '../session/session-event.ts';
import type { ConversationRuns } from '../turns/conversation-world.ts';
import { answerOfNeed, isNeed, neededFlow, skillNodes } from '../turns/skill-flow.ts';

interface RunWorld {
  readonly store: RunStore;
  readonly executor: Executor;
  readonly registry: Pick<NodeRegistry, 'get'>;
  readonly tools: Pick<ToolsCapability, 'describe'>;
  readonly history: { subscribe(listener: () => void): () => void };
}

/** Types of nodes with effects that are reported by the tools and runs below them. */
const reportedBelow: ReadonlySet<string> = new Set(['prompt', 'tool', 'agent', 'flow']);

/** Creates the interface through which conversations run policies. */
export function createConversationRuns({ store, executor, registry, tools, history }: RunWorld): ConversationRuns {
  const reading = { registry, tools };
  const whole = (value: JsonValue): JsonValue =>
    isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value;
  const find = (runId: RunId) => store.getRun(runId);
  return {
    start: (request) => executor.startRun(request),
    async resume(runId) {
      try {
        await executor.resumeRun({ runId });
      } catch (thrown) {
        // The run was already resumed by the answer.
        if (!EngineError.is(thrown) || thrown.code !== 'run.invalid-state') throw thrown;
      }
    },
    isAnswered: (runId) => find(runId)?.status === 'suspended' && store.waiting.hasNews(runId),
    find,
    async whenEnded(runId) {
      const ended = await executor.whenActiveEnded(runId);
      if (ended === undefined) {
        const record = find(runId);
        if (record === undefined) throw new Error(`Run ${runId} does not exist.`);
        return record;
      }
      // Only the history contains the requests that a run waits for.
      return { ...ended, ...find(runId), status: ended.status };
    },
    hasBegun(runId) {
      for (const { event } of readLog(store, runId)) return event.type !== 'run:refused';
      return false;
    },
    resultOf(runId) {
      const completed = new Set<string>();
      for (const { runId: of, event } of readLog(store, runId)) {
        if (of !== runId) continue;
        const ended = endedTask(event);
        if (ended?.nodeId !== undefined && 'result' in ended) completed.add(ended.nodeId);
        if (event.type !== 'run:end' || event.output === undefined) continue;
        const definition = parseFlow(
          unpackDefinition(store.readDefinition(find(runId)?.definitionHash ?? '') ?? '').text,
        );
        const hasCompleted = (id: string): boolean => completed.has(id);
        return runResult({ output: deep(event.output, whole), definition, registry, hasCompleted });
      }
      return null;
    },
    nodeOutput(runId, nodeId) {
      for (const { runId: of, event } of readLog(store, runId)) {
        const ended = of === runId ? endedTask(event) : undefined;
        if (ended?.nodeId === nodeId && 'result' in ended) return deep(ended.result, whole);
      }
      return undefined;
    },
    effectsOf: (runId) => [...effectsIn(runId, store, registry)],
    needOf(runId) {
      return readWaiting(store, runId).some(isNeed) ? neededFlow(this.nodeOutput(runId, skillNodes.first)) : undefined;
    },
    async answerNeed(runId, found) {
      const nodeId = skillNodes.need;
      const waits = readWaiting(store, runId).some(({ name }) => name === nodeId);
      if (waits) await executor.resumeRun({ runId, nodeId, payload: answerOfNeed(found) });
    },
    questionsOf: (runId) => readWaiting(store, runId).map(({ message }) => message),
    async end(runId) {
      try {
        if (await executor.endWaiting(runId)) return true;
      } catch {
        // Another process acted first, so the run continues.
      }
      return find(runId)?.status === 'cancelled';
    },
    onlyReads: (flow) => isReadingFlow(flow, reading),
    isReadingTool: (tool) => isReadingTool(tool, reading),
    cancel: (runId) => {
      try {
        executor.cancelRun(runId);
      } catch {
        // Another process owns the run and may end it.
      }
    },
    watch(listener) {
      const ends = [
        executor.subscribe((events) => {
          const isEnd = events.some(({ event }) => event.type === 'run:end' || event.type === 'run:refused');
          // Deferred until the executor has finished its own work, so that the run has ended when it is read.
          if (isEnd) setImmediate(listener);
        }),
        history.subscribe(listener),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** Replaces handles with their values, down to the outputs of nodes. */
function deep(value: JsonValue, whole: (value: JsonValue) => JsonValue): JsonValue {
  const full = whole(value);
  if (typeof full !== 'object' || full === null || Array.isArray(full)) return full;
  return Object.fromEntries(Object.entries(full).map(([key, inner]) => [key, whole(inner)]));
}

function* effectsIn(runId: RunId, store: RunStore, registry: RunWorld['registry']): Generator<OutsideEffect> {
  const inputs = new Map<string, JsonValue>();
  for (const { runId: of, event } of readLog(store, asRunId(runId))) {
    if (event.type === 'node:input') inputs.set(`${of} ${event.nodeId}`, event.input);
    if (event.type === 'tool:attempt' && event.effects === 'external')
      yield { runId: of, tool: event.tool, target: shortText(event.params) };
    const started = startedTask(event);
    if (started === undefined) continue;
    const { nodeType, nodeId, taskId } = started;
    const input = inputs.get(`${of} ${nodeId}`);
    if (nodeType !== undefined && actsItself(nodeType, input, registry))
      yield { runId: of, tool: nodeType, target: nodeId ?? taskId };
  }
}

/** Returns whether a node itself has an outside effect, not only through tools and runs that it calls. */
function actsItself(nodeType: string, input: JsonValue | undefined, registry: RunWorld['registry']): boolean {
  if (reportedBelow.has(nodeType) || registry.get(nodeType)?.effects !== 'external') return false;
  return input === undefined || !isReadingRequest(nodeType, input);
}

function shortText(params: JsonValue): string {
  const text = JSON.stringify(params);
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

interface EndedRunResult {
  /** Output in the run's last event. */
  readonly output: JsonValue;
  readonly definition: ParsedFlow;
  readonly registry: Pick<NodeRegistry, 'get'>;
  /** Returns whether a node of the flow has completed. A node that was skipped or has failed has no output. */
  readonly hasCompleted: (nodeId: string) => boolean;
}

/**
 * Returns the declared outputs of a flow, or the whole data of a step flow. For a flow without declared outputs,
 * returns a map of its last nodes' outputs; if only one of them has an output, returns that output.
 */
function runResult({ output, definition, registry, hasCompleted }: EndedRunResult): JsonValue {
  const { doc, steps } = definition;
  if (steps !== undefined || doc?.flow.outputs !== undefined || !isJsonMap(output)) return output;
  const [only, ...others] = Object.keys(output).filter(hasCompleted);
  if (only === undefined || others.length > 0) return output;
  const type = doc?.nodes.find(({ id }) => id === only)?.type ?? '';
  return resultOfNode(type, output[only] ?? null, registry);
}

function resultOfNode(type: string, given: JsonValue, registry: Pick<NodeRegistry, 'get'>): JsonValue {
  if (!isJsonMap(given)) return given;
  switch (type) {
    case 'prompt':
      return given['value'] ?? given['text'] ?? null;
    case 'agent':
      return resultOfAgent(given);
    case 'flow':
      return given['outputs'] ?? null;
    default: {
      const field = onlyField(registry.get(type)?.outputSchema);
      return field === undefined ? given : (given[field] ?? null);
    }
  }
}

function resultOfAgent({ after_all = null, outputs = null }: JsonMap): JsonValue {
  if (after_all !== null || !isJsonList(outputs)) return after_all;
  return outputs.length === 1 ? (outputs[0] ?? null) : outputs;
}

/** Returns the only field of a node type's output, such as `text` of a template. */
function onlyField(schema: unknown): string | undefined {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return fields.length === 1 ? fields[0] : undefined;
}
