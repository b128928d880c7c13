/**
 * Applies the autonomy level to nodes that act: before they start, the gate decides whether they start, wait for a
 * person, or are recorded as suggestions.
 */
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import type { BindingContext } from '../../../language/bindings/binding-path.ts';
import { holdsSuggestion } from '../../../language/bindings/markers.ts';
import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import { deepFreeze } from '../../../language/json/checked-json.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { type ActRequest, type ActVerdict, deniedAct } from '../../kernel/capabilities/effect.ts';
import type { TaskOutcome } from '../../kernel/hub/harness.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import { type ApprovalRequest, type AskAnswer, rejectedCode } from '../../kernel/requests/ask.ts';
import { textOfRequest } from '../../kernel/requests/ask-request.ts';
import type { OpenTask, SettledTask } from '../../kernel/resume/resume-point.ts';
import { ApprovalTrail } from '../approval-trail.ts';
import type { OutputsById } from '../graph-plan.ts';
import { type GraphPlan, isWiredTo, type Skip } from '../graph-plan.ts';
import { emitRequests, type NodeScope, type RunContext, type RunScope } from '../run-scope.ts';
import { actingOf, actingWith } from './acting.ts';
import type { NodeJob } from './node-job.ts';
import { type PreparedNode, prepareNode, resolveInput } from './prepare-node.ts';

/** Key of the runner's request for approval to act. Nodes cannot use this key. */
const askKey = 'autonomy:start';

/** Returns the hub for nodes. Their child runs inherit this run's level. */
export function hubAtLevel(hub: Hub, { autonomy }: RunContext): Hub {
  return autonomy === hub.autonomy || autonomy === undefined ? hub : hub.scoped({ autonomy });
}

/** Returns the known approvals in a graph; undefined at levels where approvals make no difference. */
export function approvalsIn(
  plan: GraphPlan,
  { run, prefix }: Pick<RunScope, 'run' | 'prefix'>,
  { context, outputs }: { readonly context: BindingContext; readonly outputs: OutputsById },
): ApprovalTrail | undefined {
  if (run.autonomy !== 'semi_auto') return undefined;
  const hasActed = (node: CompiledNode): boolean =>
    actingWith(node, resolveInput(node, context), run.registry) !== 'not';
  return new ApprovalTrail(plan, { prefix, outputs, hasActed });
}

/** Whether a node has run in this run, with any result: a node that skips itself may have acted first. */
export function hasRun(settled: SettledTask): boolean {
  return settled.status === 'skipped' ? settled.reason === 'directive' : !('isReused' in settled);
}

/**
 * Returns why the node is skipped if it must not act; undefined if it may start, or would fail before doing anything.
 */
export function suggestionInsteadOf(node: CompiledNode, place: NodeScope): Skip | undefined {
  const { harness, prefix, run } = place.scope;
  if (run.autonomy !== 'suggest_only') return undefined;
  const prepared = preparedOrNot(node, place);
  if (prepared === 'refused') return { reason: 'suggested' };
  if (prepared === undefined) return undefined;
  const acting = actingOf({ node, ...prepared }, run.registry);
  if (acting === 'not' || acting === 'below') return undefined;
  const { resolvedInput: params } = prepared;
  const tool = acting === 'tool' ? (prepared.config as { readonly tool: string }).tool : undefined;
  const verdict = judge(
    { act: tool === undefined ? 'node' : 'tool', target: tool ?? prefix + node.id, params, isKept: true },
    { run, hub: hubAtLevel(harness.hub, run) },
  );
  if (verdict.decision !== 'suggest') return undefined;
  return { reason: 'autonomy', suggestion: { ...(tool === undefined ? {} : { tool }), params } };
}

/**
 * Returns the prepared node. `refused`: its schema rejects a suggestion in its input. Undefined: the node has another
 * error, which is reported when it starts.
 */
function preparedOrNot(node: CompiledNode, place: NodeScope): PreparedNode | 'refused' | undefined {
  try {
    return prepareNode(node, place);
  } catch (thrown) {
    if (!EngineError.is(thrown)) throw thrown;
    const input = thrown.code === 'node.bad-input' ? resolveInput(node, place.context) : undefined;
    return input !== undefined && holdsSuggestion(input) ? 'refused' : undefined;
  }
}

/** Whether a node that an earlier process left open cannot have started, because it had no approval to act. */
export function cannotHaveStarted(job: NodeJob, { asks }: Pick<OpenTask, 'asks'>): boolean {
  const { node, prepared, place } = job;
  const { run } = place.scope;
  if (run.autonomy !== 'semi_auto' || asks.get(askKey)?.answer !== undefined) return false;
  return actingOf({ node, ...prepared }, run.registry) === 'itself' && place.approvals?.before(node) === undefined;
}

/**
 * Returns the interim outcome for a node that must not start; undefined if it may start. Nodes that call a tool are
 * judged when they call it.
 */
export function heldBack(job: NodeJob): TaskOutcome | undefined {
  const { node, name, prepared, place } = job;
  const { run } = place.scope;
  if (actingOf({ node, ...prepared }, run.registry) !== 'itself') return undefined;
  const request = { act: 'node', target: name, params: prepared.resolvedInput } as const;
  const verdict = judge({ ...request, approvedBy: place.approvals?.before(node) }, { run, hub: job.hub });
  switch (verdict.decision) {
    case 'allow':
      return undefined;
    case 'suggest':
      return { status: 'skipped', reason: verdict.reason };
    case 'ask':
      return asked(job, verdict);
    case 'deny':
      return {
        status: 'failed',
        error: { ...toErrorRecord(deniedAct(request, verdict)), nodeId: node.id },
        attempts: 0,
      };
  }
}

/** @throws EngineError `autonomy.no-gate` if there is no gate */
function judge(request: ActRequest, { run, hub }: { readonly run: RunContext; readonly hub: Hub }): ActVerdict {
  const verdict = run.capabilities.governance?.open({ hub }).act(request);
  if (verdict !== undefined) return verdict;
  const message = `The flow declares the autonomy level ${run.autonomy}, but this program cannot enforce it.`;
  throw new EngineError({ code: 'autonomy.no-gate', message });
}

/** Returns undefined if a person has approved. */
function asked(job: NodeJob, verdict: ActVerdict): TaskOutcome | undefined {
  const { name, hub, place } = job;
  const { asks, capabilities, clock } = place.scope.run;
  const request = requestFor(job, verdict);
  const text = textOfRequest(request);
  const requestHash = capabilities.hash?.sha256(text) ?? text;
  const former = asks.of(name).get(askKey);
  const isKnown = former?.requestHash === requestHash;
  if (isKnown && former.answer !== undefined) return answered(job, verdict, former.answer);
  const ask = isKnown ? former : { key: askKey, requestHash, request, askedAt: clock.now() };
  const suspension = emitRequests([ask], name, { run: place.scope.run, hub });
  return { status: 'suspended', request: suspension, reason: suspension.reason };
}

function requestFor({ node, name, prepared }: NodeJob, { reason }: ActVerdict): ApprovalRequest {
  const { title } = prepared.nodeType;
  return {
    kind: 'approval',
    title: `Allow "${node.id}" to run?`,
    message: `${title}: ${prepared.nodeType.description}`,
    action: { node: name, type: node.type, input: prepared.resolvedInput },
    notes: [`Reason: ${reason}.`],
  };
}

function answered(job: NodeJob, { rule, level, reason }: ActVerdict, answer: AskAnswer): TaskOutcome | undefined {
  const { node, name, hub } = job;
  const allowed = answer.payload['approved'] === true;
  const told = { rule, level, effect: 'node', target: name };
  hub.emit({ type: 'governance:decision', allowed, ...told, ...(allowed ? {} : { reason }) });
  return allowed ? undefined : rejected(node, answer);
}

function rejected(node: CompiledNode, { by, payload }: AskAnswer): TaskOutcome {
  const comment = String(payload['comment'] ?? '');
  const why = comment === '' ? '' : `: ${comment}`;
  const message = `${by ?? 'A person'} did not allow "${node.id}" to run${why}`;
  if (isWiredTo(node, 'rejected')) {
    const result: JsonMap = { route: 'rejected', message, comment };
    return { status: 'completed', result: deepFreeze(result), attempts: 0 };
  }
  const error = toErrorRecord(new EngineError({ code: rejectedCode, message, nodeId: node.id }));
  return { status: 'failed', error, attempts: 0 };
}
