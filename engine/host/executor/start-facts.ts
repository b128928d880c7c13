/**
 * Collects the names that a definition uses before it runs, for policies that may deny it.
 */
import type { AgentOptions } from '../../language/agent/agent-doc.ts';
import { mergeOptions, modelOf } from '../../language/agent/agent-options.ts';
import { collectCalledFlows } from '../../language/flow/called-flows.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import type { SchemaFile, SchemaFiles } from '../../language/flow/schema-files.ts';
import { calledDefinition } from '../../language/flow/stored-definition.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { bytesOf } from '../../runtime/governance/budget.ts';
import { judgeStart, type StartFacts } from '../../runtime/governance/judge-start.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { RunRefusedEvent } from '../../runtime/kernel/events/run-event.ts';
import type { ModelCapability } from '../../runtime/kernel/models/model-capability.ts';
import type { LoadedAgent } from './agent-runs.ts';
import type { FlowDefinitions } from './flow-definitions.ts';
import { type RunJob, refusedJob } from './run-job.ts';

interface JudgedFlow {
  readonly flow: CompiledFlow;
  /** The files of its definition. */
  readonly files: SchemaFiles;
  readonly inputs: JsonValue;
}

interface FlowJudges {
  readonly policies?: PolicySource;
  readonly capabilities: { readonly model: ModelCapability };
  readonly definitions: FlowDefinitions;
}

/** Returns the job, or one that only reports why a policy does not allow it to start. */
export function admittedFlow(job: RunJob, flow: JudgedFlow, judges: FlowJudges): RunJob {
  return refusedJob(job, refusalOfFlow(job.origin.sourcePath, flow, judges));
}

/** Returns why a policy does not allow a flow to start; undefined if it may. @param path of its file */
export function refusalOfFlow(
  path: string,
  { flow, files, inputs }: JudgedFlow,
  judges: FlowJudges,
): Omit<RunRefusedEvent, 'type'> | undefined {
  const layers = judges.policies?.(productsAt(path)) ?? [];
  const { definitions } = judges;
  const isFullyAutonomous = actsFreely(flow, files, definitions);
  if (layers.length === 0 && !isFullyAutonomous) return undefined;
  const called = collectCalledFlows(files).map((one) => definitions.compiledAsKept(one.path, calledDefinition(one)));
  const own = nodesOf(flow);
  const named = called.length === 0 ? own : [...own, ...called.flatMap(nodesOf)];
  const facts: StartFacts = {
    models: named.flatMap((node) => (node.type === 'prompt' ? modelNamed(node.config['model'], judges) : [])),
    tools: named.flatMap(toolsOf),
    steps: own.length,
    payloadBytes: bytesOf(inputs),
    isFullyAutonomous,
  };
  return judgeStart(facts, layers);
}

/** Returns whether the flow, or one that it names without a lower level, has effects without asking. */
function actsFreely(
  { policy: { autonomy } }: CompiledFlow,
  files: Iterable<readonly [string, SchemaFile]>,
  definitions: FlowDefinitions,
): boolean {
  if (autonomy !== undefined) return autonomy === 'full_auto';
  return [...files].some(([, file]) => {
    if (!('flow' in file)) return false;
    const { path, files: below } = file.flow;
    return actsFreely(definitions.compiledAsKept(path, calledDefinition(file.flow)), below, definitions);
  });
}

function nodesOf({ nodes }: CompiledGraph): readonly CompiledNode[] {
  return nodes.flatMap((node) => (node.disabled ? [] : [node, ...(node.body === undefined ? [] : nodesOf(node.body))]));
}

function toolsOf({ type, config, input }: CompiledNode): readonly string[] {
  const listed = config['tools'];
  const own = type === 'tool' ? [config['tool'], input['tool']] : [];
  return [...(Array.isArray(listed) ? listed : []), ...own].filter(isFixedName);
}

/** Returns whether a value is neither a binding nor a group of names; those are checked once their names are known. */
function isFixedName(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('{{') && !value.endsWith('*');
}

function modelNamed(written: unknown, { capabilities }: Pick<FlowJudges, 'capabilities'>): readonly string[] {
  if (written !== undefined && !isFixedName(written)) return [];
  try {
    const { provider, model } = capabilities.model.resolve(written);
    return [`${provider}::${model}`];
  } catch {
    // An error is reported when the call is made.
    return [];
  }
}

interface JudgedAgent {
  readonly agent: LoadedAgent;
  readonly callOptions: AgentOptions | undefined;
  readonly inputs: JsonValue;
}

/** Returns an agent's job, or one that only reports why a policy does not allow it to start. */
export function admittedAgent(
  job: RunJob,
  { agent: { doc, baseOptions }, callOptions, inputs }: JudgedAgent,
  judges: Omit<FlowJudges, 'definitions'>,
): RunJob {
  const layers = judges.policies?.(productsAt(job.origin.sourcePath)) ?? [];
  if (layers.length === 0) return job;
  const options = mergeOptions([baseOptions, doc.options, ...(callOptions === undefined ? [] : [callOptions])]);
  const { tools } = options as { readonly tools?: unknown };
  const facts: StartFacts = {
    models: doc.prompts.length === 0 ? [] : modelNamed(modelOf(options), judges),
    tools: Array.isArray(tools) ? tools.filter(isFixedName) : [],
    steps: 0,
    payloadBytes: bytesOf(inputs),
    isFullyAutonomous: false,
  };
  return refusedJob(job, judgeStart(facts, layers));
}
