/**
 * Checks before a tool call: the gate, and a person's approval if the gate or the tool requires it.
 */
import { consentScopes } from '../../base/consent.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import {
  deniedAct,
  type EffectVerdict,
  type GovernanceCapability,
  type RunGate,
} from '../../runtime/kernel/capabilities/effect.ts';
import type { ToolDescription, ToolScope } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { Hub } from '../../runtime/kernel/hub/hub.ts';
import { type ApprovalRequest, rejectedCode } from '../../runtime/kernel/requests/ask.ts';
import { failureOf, type ToolFailureReason, trouble } from './tool-failures.ts';
import type { PinState, RunnableTool } from './tool-source.ts';

/** Returns one call's gate. Read-only tools may pass where no effects are allowed. Undefined without a policy. */
export function gateOf(
  tool: RunnableTool,
  { hub, isDry }: ToolScope,
  governance: GovernanceCapability | undefined,
): RunGate | undefined {
  return governance?.open({ hub, isDry: isDry && tool.onlyReads !== true });
}

/**
 * Emits the denial if a tool could not be found because its server must not be started or called. Nothing else in the
 * run reports this.
 */
export function emitToolDenied(thrown: unknown, hub: Pick<Hub, 'emit'>): void {
  if (!EngineError.is(thrown) || thrown.code !== 'effect.denied') return;
  const { rule, effect, target, place } = (thrown.details ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof rule !== 'string' || typeof effect !== 'string' || typeof target !== 'string') return;
  const where = typeof place === 'string' ? { place } : {};
  hub.emit({ type: 'governance:decision', allowed: false, rule, effect, target, ...where, reason: thrown.message });
}

interface Passing {
  readonly gate: RunGate | undefined;
  readonly signal: AbortSignal;
  /** Whether requests can be sent to a person. */
  readonly mayAsk: boolean;
  readonly params: JsonMap;
  readonly scope: Pick<ToolScope, 'approvedBy' | 'hub'>;
}

/** Code of calls that were not made because their run only makes suggestions. */
const suggestedCode = 'autonomy.suggested';

interface Passed {
  readonly refused?: ToolFailureReason;
  /** The first rule that requires approval. */
  readonly asks?: EffectVerdict;
}

/**
 * Checks a call, and the call to the tool that it delegates to, at the gate: first against the policies, then against
 * the run's autonomy level.
 */
export async function passGate(tool: RunnableTool, passing: Passing): Promise<Passed> {
  const { gate, signal, scope } = passing;
  if (gate === undefined) return scope.hub.autonomy === undefined ? {} : { refused: noGate(tool.description) };
  try {
    const byPolicy = await passPolicies(tool, { ...passing, gate });
    const held = heldBack(tool, { ...passing, gate });
    return held === undefined || 'asks' in byPolicy ? { ...held, ...byPolicy } : held;
  } catch (thrown) {
    signal.throwIfAborted();
    if (!EngineError.is(thrown)) throw thrown;
    return { refused: failureOf(thrown) };
  }
}

type AtGate = Passing & { readonly gate: RunGate };

async function passPolicies(
  { description, standsFor }: RunnableTool,
  { gate, signal, mayAsk }: AtGate,
): Promise<Pick<Passed, 'asks'>> {
  // Its server is a program that only a trusted workspace starts.
  const isOfServer = description.kind === 'mcp' || standsFor?.kind === 'mcp';
  if (gate.isUnseen === true && isOfServer) await gate.pass({ effect: 'command', target: description.name }, signal);
  const names = [description.name, ...(standsFor === undefined ? [] : [standsFor.name])];
  let asks: EffectVerdict | undefined;
  for (const target of names) {
    const verdict = await gate.pass({ effect: 'tool', target, ...(mayAsk ? { mayAsk } : {}) }, signal);
    if (verdict.decision === 'ask') asks ??= verdict;
  }
  return asks === undefined ? {} : { asks };
}

/** Returns undefined if no autonomy level holds the call back. */
function heldBack({ description }: RunnableTool, { gate, mayAsk, params, scope }: AtGate): Passed | undefined {
  const request = { act: 'tool', target: description.name, params, approvedBy: scope.approvedBy } as const;
  const verdict = gate.act(request);
  if (verdict === undefined || verdict.decision === 'allow') return undefined;
  if (verdict.decision === 'deny') return { refused: failureOf(deniedAct(request, verdict)) };
  if (verdict.decision === 'suggest') return { refused: suggested(description) };
  return mayAsk ? { asks: { ...verdict, decision: 'ask' } } : { refused: nobodyToAsk(description) };
}

interface ToolApprovalRequest {
  readonly tool: RunnableTool;
  readonly params: JsonMap;
  readonly callKey: string;
  /** Why the policy requires approval; undefined if it does not. */
  readonly policyAsks: string | undefined;
}

type Approval =
  | { readonly refused: ToolFailureReason; readonly comment?: string }
  /**
   * `edited`: the parameters if a person changed them. `allowedAt`: when a person allowed the tool for the workspace,
   * in epoch milliseconds; absent if only this call was approved.
   */
  | { readonly edited?: JsonMap; readonly comment?: string; readonly allowedAt?: number };

type ApprovalScope = Pick<ToolScope, 'cutAttempts'> & { readonly ask?: ToolScope['ask'] | undefined };

/**
 * Sends the necessary requests: first whether an interrupted call may be made again, then whether the call may be made
 * at all.
 * @throws errors from `ask`
 */
export async function approved(asking: ToolApprovalRequest, scope: ApprovalScope): Promise<Approval> {
  const { tool, callKey } = asking;
  const { cutAttempts = 0 } = scope;
  if (cutAttempts > 0 && tool.description.effects === 'external') {
    const again = await answerOf(cutRequest(asking), { key: `${callKey}:cut:${cutAttempts}`, asking, scope });
    if ('refused' in again) return again;
  }
  const reason = await reasonToAsk(asking);
  if (reason === undefined) return {};
  const answer = await answerOf(requestFor(asking, reason), { key: callKey, asking, scope });
  if ('refused' in answer) return answer;
  if (reason.isUnpinned === true && answer.allowedAt !== undefined) await tool.pin?.pin(answer.allowedAt);
  return answer;
}

interface ReasonToAsk {
  /** Text without a period. */
  readonly text: string;
  /**
   * The only reason to ask is that the tool is not yet allowed in the workspace, so the approval may allow it there.
   */
  readonly isUnpinned?: true;
}

/** Returns why approval is required; undefined if it is not. */
async function reasonToAsk({ tool, policyAsks }: ToolApprovalRequest): Promise<ReasonToAsk | undefined> {
  const { requiresApproval, tags } = tool.description;
  if (policyAsks !== undefined) return { text: policyAsks };
  if (requiresApproval) return { text: 'the tool always requires approval' };
  if (tags.accessesPrivateData && tags.receivesUntrustedInput && tags.communicatesExternally)
    return { text: 'the tool can access private data, receives untrusted input, and communicates externally' };
  const state = await tool.pin?.state();
  return state === undefined || state === 'pinned' ? undefined : { text: unpinnedReasons[state], isUnpinned: true };
}

const unpinnedReasons: Readonly<Record<Exclude<PinState, 'pinned'>, string>> = {
  new: 'the tool is not allowed in this workspace yet',
  changed: 'the tool has changed since it was allowed in this workspace',
  earlier: 'an earlier version of Millrace allowed the tool without a choice of how long',
};

function requestFor({ tool, params }: ToolApprovalRequest, { text, isUnpinned }: ReasonToAsk): ApprovalRequest {
  const { name, title = name, description, risk, source } = tool.description;
  const { standsFor } = tool;
  // The person approves what this tool declares about itself.
  const message =
    standsFor === undefined ? description : `${description}\n\nCalls ${standsFor.name}: ${standsFor.description}`;
  return {
    kind: 'approval',
    title: `Call ${title}?`,
    message,
    // The hash ensures that an answer applies only to the form of the tool that the person saw.
    action: { tool: name, risk, source, ...(tool.pin === undefined ? {} : { hash: tool.pin.hash }) },
    params,
    notes: [`Reason: ${text}.`],
    ...(isUnpinned === true ? { scopes: consentScopes } : {}),
  };
}

function cutRequest({ tool, params }: ToolApprovalRequest): ApprovalRequest {
  const { name } = tool.description;
  return {
    kind: 'approval',
    title: `Call ${name} again?`,
    message: `${name} was being called when the program stopped, and may have finished some or all of its work. Approve to call it again, or reject to let the call fail.`,
    action: { tool: name, params },
  };
}

interface ToolApprovalQuestion {
  readonly key: string;
  readonly asking: ToolApprovalRequest;
  readonly scope: ApprovalScope;
}

async function answerOf(request: ApprovalRequest, { key, asking, scope }: ToolApprovalQuestion): Promise<Approval> {
  const { description } = asking.tool;
  if (scope.ask === undefined) return { refused: nobodyToAsk(description) };
  const { payload, by, at } = await scope.ask(key, request);
  const { approved: isApproved, comment, params, scope: consent } = payload;
  const words = typeof comment === 'string' && comment !== '' ? comment : undefined;
  if (isApproved !== true) {
    const who = by === undefined ? 'A person' : by;
    const why = words === undefined ? '' : `: ${words}`;
    const message = `${who} did not allow ${description.name} to be called${why}`;
    return {
      refused: { ...trouble('auth_error', message, rejectedCode), isRetryable: false },
      ...(words === undefined ? {} : { comment: words }),
    };
  }
  return {
    ...(isJsonMap(params) && JSON.stringify(params) !== JSON.stringify(asking.params) ? { edited: params } : {}),
    ...(words === undefined ? {} : { comment: words }),
    ...(consent === 'workspace' && request.scopes?.includes('workspace') === true ? { allowedAt: at } : {}),
  };
}

function nobodyToAsk({ name }: ToolDescription): ToolFailureReason {
  const message = `${name} requires approval, which cannot be requested here. Call it from a node of a flow, or allow it in a policy.`;
  return trouble('auth_error', message, 'ask.unavailable');
}

function suggested({ name }: ToolDescription): ToolFailureReason {
  const message = `${name} was not called, because this run only makes suggestions. The call was recorded as a suggestion for a person. Continue without its result.`;
  return { ...trouble('auth_error', message, suggestedCode), isRetryable: false };
}

function noGate({ name }: ToolDescription): ToolFailureReason {
  const message = `${name} was not called: the run has an autonomy level, but this program cannot enforce it.`;
  return trouble('auth_error', message, 'autonomy.no-gate');
}
