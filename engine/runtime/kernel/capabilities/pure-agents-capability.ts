/**
 * Runs pure agents: they receive and return data, and can access only a model, through the engine.
 */
import type { Clock } from '../../../base/clock.ts';
import type { RunId } from '../../../base/ids.ts';
import type { AutonomyLevel } from '../../../language/flow/autonomy.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import type { Hub } from '../hub/hub.ts';
import type { ModelCapability } from '../models/model-capability.ts';
import type { ResumePoint } from '../resume/resume-point.ts';

/** An agent's role, for display and traces. */
export const agentKinds = ['planner', 'executor', 'critic', 'router', 'summarizer', 'validator', 'other'] as const;

export type AgentKind = (typeof agentKinds)[number];

/** Why an agent did not return a result. */
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
  /** Whether another attempt could succeed without any changes. */
  readonly recoverable: boolean;
  readonly details: JsonMap;
}

/** Filled in by the engine; `kind`, `tags`, `redacted` and both estimates may come from the agent. */
export interface AgentMeta {
  readonly agent_name: string;
  readonly kind: AgentKind;
  /** A new ID for every attempt, used as the run ID of its `agent:*` events. */
  readonly request_id: string;
  /** ISO 8601, in UTC. */
  readonly started_at: string;
  readonly ended_at: string;
  readonly latency_ms: number;
  /** Total tokens of its model requests and responses; if there are none, the agent's own estimate, if it has one. */
  readonly token_estimate?: number;
  /** Cost in US dollars, determined the same way. */
  readonly cost_estimate?: number;
  readonly tags: JsonMap;
  readonly redacted: boolean;
}

/** Exactly one of `data` and `error` is set: `error` is null if and only if the agent succeeded. */
export type AgentResult =
  | { readonly ok: true; readonly data: JsonMap | null; readonly error: null; readonly meta: AgentMeta }
  | { readonly ok: false; readonly data: JsonMap | null; readonly error: AgentFailure; readonly meta: AgentMeta };

/** Everything an agent can read about its run. A deeply frozen copy. */
export interface StepContext {
  /** The step's resolved params. */
  readonly params: JsonMap;
  /** The run's initial payload, including values added by approvals. */
  readonly payload: JsonMap;
  /** Results of earlier steps, by key: `tool.<tool>.output`, `agent.<agent>.output`, `step.<id>.output` and others. */
  readonly artifacts: JsonMap;
  readonly constraints: StepConstraints;
}

export interface StepConstraints {
  readonly autonomyLevel: AutonomyLevel;
  /** Attempt number, starting at 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** By budget name, such as `tokens`; budgets without a limit are absent. */
  readonly budgetsLeft: Readonly<Record<string, number>>;
}

export interface PureAgentCall {
  /** Name as written in the step: `<product>.<agent>`, or without a product. */
  readonly agent: string;
  /**
   * The flow's product: a bare name refers to the product's own agents first, and other products' agents are not
   * accessible.
   */
  readonly product?: string;
  readonly step: StepContext;
}

/** The context in which an agent runs. */
export interface PureAgentScope {
  /** Hub in the context of the node's task. Receives events from the agent and its model calls. */
  readonly hub: Hub;
  /** Aborts on cancel and when the attempt times out. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The attempt's run ID, used as the agent's `request_id`. */
  readonly runId: RunId;
  /** The node's own model access, behind the gate and with events. */
  readonly model: ModelCapability;
  /** The runs that the attempt had started before it was interrupted. An agent with its own run resumes them. */
  readonly former?: readonly ResumePoint[];
}

/** Runs pure agents. */
export interface PureAgentsCapability {
  /**
   * Runs an agent once, without retries. The agent's errors are results with `ok: false`. The `error.code` is
   * `contract_violation` if it violates the contract by throwing, returning no result, or returning one with control
   * fields.
   * @throws EngineError `agent.not-found` | `agent.isolated` (of another product) | `agent.not-pure` | `agent.invalid`
   * | `agent.untrusted`; or the signal's reason when it aborts (within 1 s, whatever the agent does)
   */
  run(call: PureAgentCall, scope: PureAgentScope): Promise<AgentResult>;
}
