/**
 * Public API of the engine as a library: everything that an embedding program may import. See `docs/embedding.md`.
 *
 * Importing this module loads neither the history nor the models; `createEngine` loads them when it is called.
 */
import type { Engine } from './engine.ts';
import type { CapabilityOptions, EngineOptions, OpenedCapabilities } from './index.ts';

/**
 * Opens the engine of one workspace: runs with history, models, files. The caller must close it.
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
 * Opens the capabilities that an engine offers to nodes, without the history, for runs on a custom host. The caller
 * must close them.
 * @throws EngineError `node-type.duplicate` | `node-pack.duplicate`; with `cassette` the same errors as `createEngine`
 */
export async function openCapabilities(options: CapabilityOptions): Promise<OpenedCapabilities> {
  const host = await import('./index.ts');
  return await host.openCapabilities(options);
}

/** The engine's own copy of Zod, for the schemas of node types, so that no second copy is loaded. */
export { z } from 'zod';
export type { ModelPurpose } from './agent/model-purpose.ts';
export type { GivenMeta, GivenResult } from './agent/pure/agent-result.ts';
export {
  AgentResult,
  type AgentStep,
  BaseAgent,
  type FailedWith,
  type Reasoner,
  type ReasonerAnswer,
  type ReasonerRequest,
} from './agent/pure/base-agent.ts';
export type { AgentClass } from './agent/pure/class-agent.ts';
export { type Clock, systemClock } from './base/clock.ts';
export { EngineError, type ErrorRecord, toErrorRecord } from './base/engine-error.ts';
export { asRunId, asSessionId, type IdSource, type RunId, type SessionId } from './base/ids.ts';
export {
  BaseFlow,
  type FillContext,
  type FilledSlot,
  type FlowClass,
  type RejectedSlot,
} from './dialogue/base-flow.ts';
export type { DialogueAct } from './dialogue/dialogue-act.ts';
export type { OutsideEffect, SessionEnvelope, SessionEvent } from './dialogue/session-event.ts';
export type { FlowInstance, Prediction, ScratchpadEntry, UiAction } from './dialogue/session-state.ts';
export type { FlowView, MessageView, SessionView, SlotView } from './dialogue/session-view.ts';
export type { SlotDef } from './dialogue/slot-types.ts';
export type { AcceptedAgent, Engine, FlowFile, RunActions, RunReads } from './engine.ts';
export type { StartAgent } from './executor/agent-jobs.ts';
export type { ResumeRun } from './executor/continuation.ts';
export type { RerunFrom, StartRun } from './executor/flow-jobs.ts';
export type { RunQuery } from './executor/history.ts';
export type { NodePlan, PlanNode } from './executor/node-plan.ts';
export type { EngineNotice } from './executor/notices.ts';
export type { RerunStep } from './executor/rerun-step.ts';
export type { WaitingAsk } from './executor/run-answers.ts';
export type { PlanRerun } from './executor/run-plans.ts';
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
} from './flow/node-type.ts';
export { type FlowRequest, type FlowResult, runFlow } from './flow/run-flow.ts';
export { type RunOrigin, runRoot } from './flow/run-root.ts';
export { type CheckedFlow, checkFlow } from './flowspec/check-flow.ts';
export { compileFlow } from './flowspec/compile-flow.ts';
export type * from './flowspec/compiled-flow.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  hasErrors,
  renderDiagnostic,
  type Severity,
  type TextRange,
} from './flowspec/diagnostic.ts';
export type {
  EdgeDoc,
  FlowDoc,
  LayoutDoc,
  NodeDoc,
  NodePolicy,
  NodePosition,
  RetryPolicy,
  WhenExpr,
} from './flowspec/flow-doc.ts';
export type { JsonMap, JsonValue } from './flowspec/json-value.ts';
export { isErrorMarker, isMarker, isSkipMarker, type SkipReason } from './flowspec/markers.ts';
export type * from './flowspec/node-type-spec.ts';
export { type ParsedFlow, parseFlow } from './flowspec/parse-flow.ts';
export { type SchemaFile, type SchemaFiles, schemaFilesOf } from './flowspec/schema-files.ts';
export { validateFlow } from './flowspec/validate-flow.ts';
export { isValueHandle, type ValueHandle } from './flowspec/value-handle.ts';
export type { AgentText, PackChange, PackEngine } from './host/pack-service.ts';
export type { AgentFile, PackListing } from './host/pack-views.ts';
export type { ModelSettingsView, ProviderEntry, ProviderView, SettingsEngine } from './host/settings-service.ts';
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
export {
  type AgentContext,
  type AgentDefinition,
  type AgentInvocation,
  runAgent,
} from './kernel/agent-definition.ts';
export type { AnswerMisfit } from './kernel/answer-fields.ts';
export type * from './kernel/ask.ts';
export { type CancelScope, cancellation, createCancelScope } from './kernel/cancel-scope.ts';
export type * from './kernel/capabilities.ts';
export { type CheckedAnswer, checkAnswer } from './kernel/check-answer.ts';
export { foldRun, reduceRun } from './kernel/fold-run.ts';
export { createHarness, type Harness, type TaskInfo, type TaskOutcome } from './kernel/harness.ts';
export { createHub, type Hub, type HubOptions, type RunHub, type RunListener } from './kernel/hub.ts';
export {
  createInboxRouter,
  type Inbox,
  type InboxMessage,
  type InboxOwner,
  type InboxRouter,
  type InboxRouterOptions,
} from './kernel/inbox.ts';
export type * from './kernel/model-capability.ts';
export type {
  AgentErrorCode,
  AgentFailure,
  AgentKind,
  StepConstraints,
  StepContext,
} from './kernel/pure-agents-capability.ts';
export { readResumePoint } from './kernel/read-resume-point.ts';
export type { ResumePoint } from './kernel/resume-point.ts';
export type * from './kernel/run-event.ts';
export { createLocalHost, type RunHost, type TimerPurpose } from './kernel/run-host.ts';
export type { RunStatus, RunSummary } from './kernel/run-state.ts';
export { emptyRunState, type NodeState, type NodeStatus, type RunState } from './kernel/run-state.ts';
export { builtinNodes } from './nodes/builtin-nodes.ts';
export { createNodeRegistry, type NodePack, type NodeRegistry, type RegistryOptions } from './nodes/node-registry.ts';
export type * from './product/gateway.ts';
export { openProducts } from './product/gateway.ts';
export type { Product, ProductFile, ProductProblem } from './product/product.ts';
export {
  type AgentTrial,
  type ExpectedRun,
  type GivenStep,
  stepContext,
  type TestAnswer,
  type TestedRun,
  testFlow,
  tryAgent,
} from './product/product-tester.ts';
export type * from './product/run-records.ts';
