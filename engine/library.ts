/**
 * Public API of the engine as a library: everything that an embedding program may import. See `docs/embedding.md`.
 *
 * Importing this module loads neither the history nor the models; `createEngine` loads them when it is called.
 */
export type { RerunFrom, StartAgent, StartRun } from './host/executor/start-request.ts';

import type { Engine } from './engine.ts';
import type { CapabilityOptions, EngineOptions, OpenedCapabilities } from './index.ts';

/**
 * Opens the engine of one workspace, with history, models and files. The caller must close it.
 * @throws EngineError `workspace.not-found` | `node-type.duplicate` | `node-pack.duplicate`; with `agents` also
 * `agent.no-base-agent` | `agent.bad-name` | `agent.duplicate`; with `flows` `flow-class.invalid`; with `storeFile`
 * `store.unreadable` | `store.newer-version` | `store.full` | `store.write-failed`; with `cassette` also
 * `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const host = await import('./index.ts');
  return await host.createEngine(options);
}

/**
 * Opens the capabilities that an engine provides to nodes, without a history, for runs on a custom host. The caller
 * must close them.
 * @throws EngineError `node-type.duplicate` | `node-pack.duplicate`; with `cassette` the same errors as `createEngine`
 */
export async function openCapabilities(options: CapabilityOptions): Promise<OpenedCapabilities> {
  const host = await import('./index.ts');
  return await host.openCapabilities(options);
}

/** The engine's own copy of Zod, for the schemas of node types, so that no second copy is loaded. */
export { z } from 'zod';
export { type Clock, systemClock } from './base/clock.ts';
export { EngineError, type ErrorRecord, toErrorRecord } from './base/engine-error.ts';
export { asRunId, asSessionId, type IdSource, type RunId, type SessionId } from './base/ids.ts';
export {
  BaseFlow,
  type FillContext,
  type FilledSlot,
  type FlowClass,
  type RejectedSlot,
} from './conversations/catalog/base-flow.ts';
export type { SlotDef } from './conversations/catalog/slot-types.ts';
export type { DialogueAct } from './conversations/meaning/dialogue-act.ts';
export type { OutsideEffect, SessionEnvelope, SessionEvent } from './conversations/session/session-event.ts';
export type { FlowInstance, Prediction, ScratchpadEntry, UiAction } from './conversations/session/session-state.ts';
export type { FlowView, MessageView, SessionView, SlotView } from './conversations/session/session-view.ts';
export type { AcceptedAgent, Engine, FlowFile, RunActions, RunReads } from './engine.ts';
export type { RunListQuery as RunQuery } from './history/store/run-store.ts';
export type { ResumeRun } from './host/executor/continuation.ts';
export type * from './host/executor/gateway.ts';
export { openProducts } from './host/executor/gateway.ts';
export type { EngineNotice } from './host/executor/notices.ts';
export {
  type AgentTrial,
  type ExpectedRun,
  type GivenStep,
  stepContext,
  type TestAnswer,
  type TestedRun,
  testFlow,
  tryAgent,
} from './host/executor/product-tester.ts';
export type { WaitingAsk } from './host/executor/run-answers.ts';
export type { EstimateRun } from './host/plans/estimate-run.ts';
export type { PlanRerun } from './host/plans/run-plans.ts';
export type { NodePlan, PlanNode } from './host/rerun/node-plan.ts';
export type { RerunStep } from './host/rerun/rerun-step.ts';
export type { ModelSettingsView, ProviderEntry, ProviderView, SettingsEngine } from './host/wiring/settings-service.ts';
export type {
  CapabilityOptions,
  ConversationEngine,
  ConversationListener,
  ConversationNotice,
  EngineOptions,
  OpenedCapabilities,
  SessionRecord,
  ToSay,
} from './index.ts';
export type { ModelPurpose } from './language/agent/model-purpose.ts';
export { isErrorMarker, isMarker, isSkipMarker, type SkipReason } from './language/bindings/markers.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  hasErrors,
  renderDiagnostic,
  type Severity,
  type TextRange,
} from './language/findings/diagnostic.ts';
export { validateFlow } from './language/findings/validate-flow.ts';
export { type CheckedFlow, checkFlow } from './language/flow/check-flow.ts';
export { compileFlow } from './language/flow/compile-flow.ts';
export type * from './language/flow/compiled-flow.ts';
export type {
  EdgeDoc,
  FlowDoc,
  LayoutDoc,
  NodeDoc,
  NodePolicy,
  NodePosition,
  RetryPolicy,
  WhenExpr,
} from './language/flow/flow-doc.ts';
export { type ParsedFlow, parseFlow } from './language/flow/parse-flow.ts';
export { type SchemaFile, type SchemaFiles, schemaFilesOf } from './language/flow/schema-files.ts';
export type { JsonMap, JsonValue } from './language/json/json-value.ts';
export { isValueHandle, type ValueHandle } from './language/json/value-handle.ts';
export type * from './language/types/node-type-spec.ts';
export type { AgentText, PackChange, PackEngine } from './packs/pack-service.ts';
export type { AgentFile, PackListing } from './packs/pack-views.ts';
export type { Product, ProductFile, ProductProblem } from './packs/product/product.ts';
export type * from './packs/product/run-records.ts';
export type { GivenMeta, GivenResult } from './runtime/agent/pure/agent-result.ts';
export {
  AgentResult,
  type AgentStep,
  BaseAgent,
  type FailedWith,
  type Reasoner,
  type ReasonerAnswer,
  type ReasonerRequest,
} from './runtime/agent/pure/base-agent.ts';
export type { AgentClass } from './runtime/agent/pure/class-agent.ts';
export type { EstimatedNode, EstimateRange, FlowEstimate } from './runtime/flow/estimate-flow.ts';
export {
  defineNodeType,
  type LoopBody,
  type LoopItem,
  type LoopItemResult,
  type NodeHosting,
  type NodeRunContext,
  NodeSkip,
  type NodeType,
  type NodeTypeLookup,
} from './runtime/flow/node-type.ts';
export { type FlowRequest, type FlowResult, runFlow } from './runtime/flow/run-flow.ts';
export { type RunOrigin, runRoot } from './runtime/flow/run-root.ts';
export {
  type AgentContext,
  type AgentDefinition,
  type AgentInvocation,
  runAgent,
} from './runtime/kernel/capabilities/agent-definition.ts';
export type * from './runtime/kernel/capabilities/capabilities.ts';
export type {
  AgentErrorCode,
  AgentFailure,
  AgentKind,
  StepConstraints,
  StepContext,
} from './runtime/kernel/capabilities/pure-agents-capability.ts';
export { createLocalHost, type RunHost, type TimerPurpose } from './runtime/kernel/capabilities/run-host.ts';
export { foldRun, reduceRun } from './runtime/kernel/events/fold-run.ts';
export type * from './runtime/kernel/events/run-event.ts';
export type { RunStatus, RunSummary } from './runtime/kernel/events/run-state.ts';
export { emptyRunState, type NodeState, type NodeStatus, type RunState } from './runtime/kernel/events/run-state.ts';
export { type CancelScope, cancellation, createCancelScope } from './runtime/kernel/hub/cancel-scope.ts';
export { createHarness, type Harness, type TaskInfo, type TaskOutcome } from './runtime/kernel/hub/harness.ts';
export { createHub, type Hub, type RunHub } from './runtime/kernel/hub/hub.ts';
export type { HubOptions, RunListener } from './runtime/kernel/hub/hub-core.ts';
export type * from './runtime/kernel/models/model-capability.ts';
export {
  createInboxRouter,
  type Inbox,
  type InboxMessage,
  type InboxOwner,
  type InboxRouter,
  type InboxRouterOptions,
} from './runtime/kernel/requests/agent-inbox.ts';
export type { AnswerMisfit } from './runtime/kernel/requests/answer-fields.ts';
export type * from './runtime/kernel/requests/ask.ts';
export { type CheckedAnswer, checkAnswer } from './runtime/kernel/requests/check-answer.ts';
export { readResumePoint } from './runtime/kernel/resume/read-resume-point.ts';
export type { ResumePoint } from './runtime/kernel/resume/resume-point.ts';
export { builtinNodes } from './runtime/nodes/builtin-nodes.ts';
export {
  createNodeRegistry,
  type NodePack,
  type NodeRegistry,
  type RegistryOptions,
} from './runtime/nodes/node-registry.ts';
