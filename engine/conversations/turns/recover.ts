/**
 * Recovers from a failure step by step: runs the policy again, declares what is unclear, tries another flow or the next
 * part of the plan, and finally asks the person. The decisions are made here; the stack only executes them.
 */

import { asRunId } from '../../base/ids.ts';
import { expiredCode, rejectedCode } from '../../runtime/kernel/requests/ask.ts';
import { planIntent } from '../catalog/catalogue.ts';
import { ambiguityLevels, declareAmbiguity, hasRecourse, resolveAmbiguity } from '../meaning/ambiguity.ts';
import { slotQuestion } from '../meaning/slot-question.ts';
import { fallBack, skipFlow } from '../session/fallback.ts';
import { invalidateFlow } from '../session/flow-stack.ts';
import type { AmbiguityLevel, FlowInstance } from '../session/session-state.ts';
import type { SkillResult } from '../session/skill-result.ts';
import type { Next, TurnContext } from './turn-context.ts';
import { declare } from './unclear.ts';
import { contemplate } from './understand.ts';

type Failure = Extract<SkillResult, { readonly outcome: 'failure' }>;
type Uncertain = Extract<SkillResult, { readonly outcome: 'uncertain' }>;

/**
 * Error codes of decisions by a person, including a missed deadline. After these, no one is asked again and no
 * alternative is tried.
 */
const decided: ReadonlySet<string> = new Set([rejectedCode, expiredCode]);

/** Finds a way to continue after a failure of the flow's policy. */
export async function recover(turn: TurnContext, flowId: string, failure: Failure): Promise<Next> {
  const { journal } = turn;
  journal.emit({ type: 'state:flags', hasIssues: true });
  if (decided.has(failure.category)) return refused(turn, flowId, failure);
  const level: AmbiguityLevel = failure.category === 'plan.unclear' ? 'general' : 'partial';
  const name = flowOf(turn, flowId).flowName.replaceAll('_', ' ');
  const observation = `${name} did not work: ${failure.message} What would you like to do instead?`;
  const metadata = { reason: failure.message, error_category: failure.category };
  journal.take(declareAmbiguity(turn.state, { level, flowId, metadata, observation }));
  return await wayOn(turn, flowId, level);
}

/**
 * Handles a policy that reports something as unclear. Only the person can provide a value or sign-off. In all other
 * cases, there may be an alternative.
 */
export async function unclearResult(turn: TurnContext, flow: FlowInstance, result: Uncertain): Promise<Next> {
  const { context, reason } = result;
  const { level: said, question, ...metadata } = context;
  const level = ambiguityLevels.find((one) => one === said) ?? levelOf(metadata);
  const { flowId } = flow;
  const observation = typeof question === 'string' ? question : '';
  const asked = turn.typeOf(flow)?.slots.get(String(metadata['missing_slot']));
  const wording = asked === undefined ? {} : { question: slotQuestion(asked) };
  const record = { level, flowId, metadata: { ...metadata, ...wording, reason }, observation };
  if (level === 'specific' || level === 'confirmation') {
    declare(turn, record);
    return 'stop';
  }
  turn.journal.take(declareAmbiguity(turn.state, record));
  return await wayOn(turn, flowId, level);
}

function levelOf(context: Readonly<Record<string, unknown>>): AmbiguityLevel {
  if (context['missing_slot'] !== undefined) return 'specific';
  if (context['candidate'] !== undefined) return 'confirmation';
  return 'partial';
}

/** Tries another flow, then the next part of the plan, then asks the person. */
async function wayOn(turn: TurnContext, flowId: string, level: AmbiguityLevel): Promise<Next> {
  const { journal, catalogue } = turn;
  const flow = flowOf(turn, flowId);
  if (!hasRecourse({ level })) return escalate(turn, flowId);
  const mayTry = flow.recoveries < catalogue.thresholds.recoveryAttempts + 1;
  const hasFallback = turn.typeOf(flow)?.fallback !== undefined;
  if (mayTry && (hasFallback || flow.planId === null) && flow.intent !== planIntent) {
    if (await reroute(turn, flow)) return 'more';
  }
  const skipped = skipFlow(turn.state, { flowId });
  if ('refused' in skipped) return escalate(turn, flowId);
  journal.take(skipped);
  journal.take(resolveAmbiguity(turn.state, 'skip'));
  return 'more';
}

async function reroute(turn: TurnContext, flow: FlowInstance): Promise<boolean> {
  const { journal, catalogue } = turn;
  const { flowId } = flow;
  const prediction = await contemplate(turn, flow);
  const fallen = prediction && fallBack(turn.state, catalogue, { flowId, toFlowName: prediction.flow ?? '' });
  const isDone = fallen !== undefined && !('refused' in fallen);
  journal.emit({ type: 'recovery:step', flowId, step: 'reroute', ok: isDone });
  if (!isDone || prediction === undefined) return false;
  journal.take(fallBack(turn.state, catalogue, { flowId, toFlowName: prediction.flow ?? '' }));
  journal.take(resolveAmbiguity(turn.state, 'reroute'));
  journal.emit({ type: 'state:flags', keepGoing: true });
  return true;
}

function escalate({ journal, state }: TurnContext, flowId: string): Next {
  journal.emit({ type: 'recovery:step', flowId, step: 'escalate', ok: false });
  journal.take(invalidateFlow(state, { flowId, reason: 'failure' }));
  return 'stop';
}

function refused({ journal, state }: TurnContext, flowId: string, { message }: Failure): Next {
  journal.emit({ type: 'flow:progress', flowId, metadata: { refused: message } });
  journal.take(invalidateFlow(state, { flowId, reason: 'abandon' }));
  return 'stop';
}

/**
 * Returns whether the policy may be retried: once, and only if the first attempt had no effects that would be repeated.
 * A refused start would be refused again.
 */
export async function mayTryAgain(
  turn: TurnContext,
  { recoveries, runId, intent }: FlowInstance,
  { category }: Failure,
): Promise<boolean> {
  const { recoveryAttempts } = turn.catalogue.thresholds;
  if (decided.has(category) || category.startsWith('hook.')) return false;
  if (runId === null || recoveries > 0 || recoveryAttempts === 0 || intent === planIntent) return false;
  const { runs } = turn.world;
  const id = asRunId(runId);
  return await turn.journal.step('effects', async () => runs.hasBegun(id) && runs.effectsOf(id).length === 0);
}

function flowOf({ state }: TurnContext, flowId: string): FlowInstance {
  const flow = state.stack.find((one) => one.flowId === flowId);
  if (flow === undefined) throw new Error(`Flow ${flowId} is not on the stack.`);
  return flow;
}
