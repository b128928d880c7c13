/**
 * Predicts what a run would have suggested at `suggest_only` by executing its flow again in memory. Nodes that only
 * compute run again. All other nodes take their outputs from the log, as long as their input is the same.
 */
import { systemClock } from '../../base/clock.ts';
import { fromErrorRecord } from '../../base/engine-error.ts';
import { asSessionId, taskNameOf } from '../../base/ids.ts';
import { secretNamesOf } from '../../language/bindings/secret-bindings.ts';
import type { SuggestedAction } from '../../language/flow/autonomy.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { prepareInput } from '../../language/schema/coerce-input.ts';
import { NodeSkip, type NodeType, type NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import { runFlow } from '../../runtime/flow/run-flow.ts';
import { createWorkspaceGate } from '../../runtime/governance/workspace-gate.ts';
import type { Capabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState, type NodeState } from '../../runtime/kernel/events/run-state.ts';
import { suggestionsOf } from '../../runtime/kernel/events/run-suggestions.ts';
import { createHarness } from '../../runtime/kernel/hub/harness.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import { type EarlierRun, nodesIn } from '../rerun/earlier-run.ts';

interface SuggestionPrediction {
  /** Suggestions in execution order, with the full name of the node. */
  readonly suggestions: readonly (SuggestedAction & { readonly nodeId: string })[];
  /** Full names of nodes that would have completed. */
  readonly ran: ReadonlySet<string>;
  /** Full names of nodes whose result is unknown because their input differs from the run. */
  readonly unknown: readonly string[];
}

/**
 * Returns, as the end of a sentence, why the effects of suggestions cannot be predicted for a flow's runs; undefined if
 * they can be.
 */
export function whyUnpredictable(flow: CompiledFlow, registry: NodeTypeLookup): string | undefined {
  if (flow.dialect !== undefined) return 'it is a step flow';
  const secrets = secretNamesOf(flow);
  if (secrets.length > 0) return `it uses secrets (${secrets.join(', ')})`;
  const callers = flow.nodes.flatMap(nodesIn).filter(({ type }) => registry.get(type)?.capabilities.includes('flows'));
  return callers.length === 0 ? undefined : `${callers.map(({ id }) => id).join(', ')} may call other flows`;
}

/** Predicts the suggestions of a run. @param run a run of a flow for which `whyUnpredictable` returns undefined */
export async function predictSuggestions(run: EarlierRun, registry: NodeTypeLookup): Promise<SuggestionPrediction> {
  const { flow, inputs, runId } = run;
  const unknown: string[] = [];
  let predicted = emptyRunState;
  const { hub, subscribe, close } = createHub({ runId, sessionId: asSessionId('what-if'), clock: systemClock });
  subscribe((group) => {
    predicted = foldRun(predicted, group);
  });
  const types = new Map<string, NodeType>();
  const lookup: NodeTypeLookup = {
    get(type) {
      const known = types.get(type) ?? asInLog(registry.get(type), run, unknown);
      if (known !== undefined) types.set(type, known);
      return known;
    },
    allowsLongLived: () => true,
  };
  const request = { flow: withoutDelays(flow), registry: lookup, inputs, capabilities: nothingOutside };
  await runFlow(request, createHarness(hub, systemClock));
  close();
  const nodes = [...predicted.nodes.values()];
  return {
    suggestions: suggestionsOf(predicted),
    ran: new Set(nodes.flatMap(({ nodeId, status }) => (status === 'completed' ? nodeId : []))),
    unknown,
  };
}

/**
 * None of these capabilities is called, because types that need them return outputs from the log. Only the autonomy
 * level decides about effects.
 */
const nothingOutside: Partial<Capabilities> = new Proxy(
  {
    governance: createWorkspaceGate({
      policy: () => ({ decision: 'deny', rule: 'what-if', reason: 'Nothing is run', trustHelps: false }),
      workspace: '/',
      isTrusted: async () => false,
    }),
  },
  { get: (own, name) => (name === 'governance' ? own.governance : {}), has: () => true },
);

/** Removes retries and time limits: the log already contains the outcome of retries. */
function withoutDelays(flow: CompiledFlow): CompiledFlow {
  const plain = <Graph extends CompiledGraph>(graph: Graph): Graph => ({
    ...graph,
    nodes: graph.nodes.map(
      (node): CompiledNode => ({
        ...node,
        policy: { ...node.policy, maxAttempts: 1, timeoutMs: null },
        body: node.body === undefined ? undefined : plain(node.body),
      }),
    ),
  });
  return { ...plain(flow), policy: { ...flow.policy, autonomy: 'suggest_only' } };
}

/**
 * Returns a type unchanged if it only computes. For any other type, returns one that takes its outputs from the log.
 */
function asInLog(type: NodeType | undefined, run: EarlierRun, unknown: string[]): NodeType | undefined {
  if (type === undefined || type.runsBody === true || isOnlyComputing(type)) return type;
  return {
    ...type,
    async run({ hub, input }) {
      const name = taskNameOf(hub.taskId ?? '');
      const state = run.nodes.get(name);
      if (state === undefined || !isSameInput(type, { state, input, run })) {
        unknown.push(name);
        throw new NodeSkip('');
      }
      return resultIn(state, run);
    },
  };
}

function isOnlyComputing({ effects, capabilities, longLived, type }: NodeType): boolean {
  return effects === 'pure' && capabilities.length === 0 && longLived !== true && type !== 'control.wait';
}

function isSameInput(
  { inputSchema }: NodeType,
  { state, input, run }: { readonly state: NodeState; readonly input: JsonValue; readonly run: EarlierRun },
): boolean {
  if (state.input === undefined) return false;
  const former = prepareInput(inputSchema, run.whole(state.input) as JsonMap);
  return former.ok && jsonEquals(former.value as JsonValue, input);
}

function resultIn({ status, output, error, skip }: NodeState, run: EarlierRun): JsonValue {
  if (status === 'failed' && error !== undefined) throw fromErrorRecord(error);
  if (output === undefined) throw new NodeSkip(skip?.text ?? '');
  return run.whole(output);
}
