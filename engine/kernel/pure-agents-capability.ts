/**
 * Running agents of the contract pure: they get data and give data, and reach nothing else but a model, through the engine.
 */
import type { Clock } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import type { AutonomyLevel } from '../flowspec/autonomy.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import type { Hub } from './hub.ts';
import type { ModelCapability } from './model-capability.ts';
import type { ResumePoint } from './resume-point.ts';

/** What an agent is for; for people and traces. */
export const agentKinds = ['planner', 'executor', 'critic', 'router', 'summarizer', 'validator', 'other'] as const;

export type AgentKind = (typeof agentKinds)[number];

/** Why an agent did not give what it was asked for. */
export const agentErrorCodes = [
  'invalid_input',
  'policy_blocked',
  'model_error',
  'timeout',
  'contract_violation',
  'unknown',
] as const;

export type AgentErrorCode = (typeof agentErrorCodes)[number];

export interface AgentFailure {
  readonly code: AgentErrorCode;
  readonly message: string;
  /** Whether another attempt could succeed without anybody changing anything. */
  readonly recoverable: boolean;
  readonly details: JsonMap;
}

/** The engine fills it in; `kind`, `tags`, `redacted` and both estimates may come from the agent. */
export interface AgentMeta {
  readonly agent_name: string;
  readonly kind: AgentKind;
  /** Fresh for every attempt: the run id of its `agent:*` events. */
  readonly request_id: string;
  /** ISO 8601, in UTC. */
  readonly started_at: string;
  readonly ended_at: string;
  readonly latency_ms: number;
  /** Tokens of all that the models were asked and answered; without such a call what the agent says, if anything. */
  readonly token_estimate?: number;
  /** US dollars, likewise. */
  readonly cost_estimate?: number;
  readonly tags: JsonMap;
  readonly redacted: boolean;
}

/** Exactly one of `data` and `error` says something: `error` is null if and only if the agent did its work. */
export type AgentResult =
  | { readonly ok: true; readonly data: JsonMap | null; readonly error: null; readonly meta: AgentMeta }
  | { readonly ok: false; readonly data: JsonMap | null; readonly error: AgentFailure; readonly meta: AgentMeta };

/** All that an agent knows of its run. Frozen at every depth, and nobody else's: what an agent does to it changes nothing. */
export interface StepContext {
  /** Of the step, templates filled in. */
  readonly params: JsonMap;
  /** What the run was started with, and what approvals have added. */
  readonly payload: JsonMap;
  /** What earlier steps gave, by key: `tool.<tool>.output`, `agent.<agent>.output`, `step.<id>.output` and others. */
  readonly artifacts: JsonMap;
  readonly constraints: StepConstraints;
}

export interface StepConstraints {
  readonly autonomyLevel: AutonomyLevel;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** By name of the budget, such as `tokens`; one that has no limit is absent. */
  readonly budgetsLeft: Readonly<Record<string, number>>;
}

export interface PureAgentCall {
  /** As the step names it: `<product>.<agent>`, or bare. */
  readonly agent: string;
  /** The product whose flow it is: a bare name means its own agents first, and those of others are out of reach. */
  readonly product?: string;
  readonly step: StepContext;
}

/** In whose name an agent runs. */
export interface PureAgentScope {
  /** In the context of the node's task: what the agent and its model calls tell goes out here. */
  readonly hub: Hub;
  /** Aborts on cancel and when the attempt's time is up. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Of the attempt; the agent's `request_id`. */
  readonly runId: RunId;
  /** The node's own: behind the gate, and told. */
  readonly model: ModelCapability;
  /** The runs that the attempt had called before it was cut: an agent that is a run of its own goes on with them. */
  readonly former?: readonly ResumePoint[];
}

/** Runs agents of the contract pure. */
export interface PureAgentsCapability {
  /**
   * Runs an agent once, and never again by itself. Whatever the agent does wrong is a result with `ok: false`; its `error.code` is
   * `contract_violation` where it is no agent of the contract: when it throws, gives no result, or one with control fields.
   * @throws EngineError `agent.not-found` | `agent.isolated` (of another product) | `agent.not-pure` | `agent.invalid` | `agent.untrusted`;
   *   or the signal's reason when it aborts (within 1 s, whatever the agent does)
   */
  run(call: PureAgentCall, scope: PureAgentScope): Promise<AgentResult>;
}
