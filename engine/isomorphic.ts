/**
 * The part of the engine for browsers: parsing and validating flow files, the built-in node types, and interpreting run
 * events. It uses nothing from Node and cannot run flows.
 */

export { assertNever } from './base/assert-never.ts';
export {
  type ConflictPlace,
  type ConflictSide,
  type ConflictSides,
  conflictPlaces,
  conflictSides,
} from './base/conflict-markers.ts';
export { type ConsentScope, needKey, needText, type PermissionNeed } from './base/consent.ts';
export { causesOf, EngineError, type ErrorRecord, toErrorRecord } from './base/engine-error.ts';
export { asRunId, asSessionId, type RunId, type SessionId, taskIdOf, taskNameOf } from './base/ids.ts';
export { visibleText } from './base/strange-signs.ts';
export { applyEdits, editBetween, mapOffset, rebaseEdits, type TextEdit } from './base/text-edit.ts';
export { webAddressProblem } from './base/web-address.ts';
export { hookNames } from './conversations/catalog/base-flow.ts';
export { baseOf, universalIntents } from './conversations/catalog/catalogue.ts';
export {
  builtinPolicies,
  type CatalogueDoc,
  catalogueJsonSchema,
  catalogueShapes,
  catalogueSuffix,
  type FlowTypeDoc,
  isCatalogueName,
  isCataloguePath,
  type PolicyDoc,
  type SlotDoc,
} from './conversations/catalog/catalogue-doc.ts';
export { catalogueProblems } from './conversations/catalog/catalogue-findings.ts';
export type { CatalogueChange } from './conversations/catalog/edit/catalogue-change.ts';
export { editCatalogue, newFlowType } from './conversations/catalog/edit/edit-catalogue.ts';
export { type ParsedCatalogue, parseCatalogue } from './conversations/catalog/parse-catalogue.ts';
export { type SlotPriority, slotParams, slotSchema, slotTypeNames } from './conversations/catalog/slot-types.ts';
export {
  type ChatTurn,
  missedExpectations,
  parseChatScript,
  type TakenTurn,
} from './conversations/meaning/chat-script.ts';
export type { DialogueAct } from './conversations/meaning/dialogue-act.ts';
export type { PlanProgress } from './conversations/plans/plan.ts';
export type {
  OutsideEffect,
  PlanCandidate,
  SessionEnvelope,
  SessionEvent,
} from './conversations/session/session-event.ts';
export type {
  AmbiguityLevel,
  CatalogueVersion,
  FlowStatus,
  Prediction,
  ScratchpadEntry,
  SubFlow,
  UiAction,
  UserMessage,
} from './conversations/session/session-state.ts';
export type {
  AmbiguityView,
  FlowView,
  MessageView,
  PlanView,
  SessionView,
  SlotView,
} from './conversations/session/session-view.ts';
export { optionDocs } from './language/agent/agent-options.ts';
export {
  fenceLanguage,
  headingKind,
  type Section,
  type SectionKind,
  scanAgent,
} from './language/agent/agent-scanner.ts';
export { contextDocs } from './language/agent/context-docs.ts';
export { type LuaToken, type OpenLua, readLua } from './language/agent/lua-tokens.ts';
export { parseAgent } from './language/agent/parse-agent.ts';
export { returnedFields } from './language/agent/returned-fields.ts';
export { parsePath, pathText, readPath } from './language/bindings/binding-path.ts';
export { type Binding, parseTemplate } from './language/bindings/binding-template.ts';
export { holdsBinding } from './language/bindings/bindings.ts';
export { javaScriptGlobals, listMethods, textMethods } from './language/bindings/javascript-names.ts';
export type { SkipReason } from './language/bindings/markers.ts';
export { isSecretName, secretNamesOf } from './language/bindings/secret-bindings.ts';
export type { ComparisonOp, ConditionScope, WhenTrace } from './language/bindings/when.ts';
export { comparisonOf, conditionSightsOf, evaluateWhen, explainWhen } from './language/bindings/when.ts';
export { conditionText, whenText } from './language/bindings/when-text.ts';
export { acceptedChange, acceptedChanges } from './language/cases/accepted-change.ts';
export { isCaseFile, runOfVersion, runVersion } from './language/cases/case-names.ts';
export type {
  CaseId,
  CaseReport,
  CaseResult,
  CaseSummary,
  CheckResult,
  ListedCase,
  ListedCaseFile,
} from './language/cases/case-result.ts';
export type { CaseChange } from './language/cases/edit-cases.ts';
export { knownPathsOf } from './language/curl/curl-bindings.ts';
export { curlMessages } from './language/curl/curl-messages.ts';
export { type CurlRequest, type CurlSecret, readCurl, withSecretNames } from './language/curl/read-curl.ts';
export type { FlowTexts } from './language/edit/diff/comparison.ts';
export { diffFlows, locateDifferences, takeDifferences } from './language/edit/diff/diff-flows.ts';
export {
  type DifferenceLines,
  type DifferencePart,
  type FlowDiff,
  type FlowDifference,
  withNeeds,
} from './language/edit/diff/flow-difference.ts';
export { type FlowVersions, type MergedFlow, mergeVersions } from './language/edit/diff/merge-versions.ts';
export { editFlow, extractedText, type FlowEdit } from './language/edit/edit-flow.ts';
export type { ChangePath, Extraction, FlowChange } from './language/edit/flow-change.ts';
export {
  type Fragment,
  fragmentText,
  type PasteOptions,
  pasteChange,
  pastedTriggers,
  readFragment,
} from './language/edit/fragment.ts';
export { type InputUse, usesOfInput } from './language/edit/rename-input.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  hasErrors,
  renderDiagnostic,
  type TextRange,
} from './language/findings/diagnostic.ts';
export { type FieldProblem, fieldProblems } from './language/findings/node-value-findings.ts';
export { edgeRefusal } from './language/findings/validate-flow.ts';
export { isAgentType } from './language/flow/agent-type-name.ts';
export { type AutonomyLevel, autonomyLevels, lowerOf, type SuggestedAction } from './language/flow/autonomy.ts';
export { type CalledInterface, calledFileOf, collectCalledFlows, interfaceOf } from './language/flow/called-flows.ts';
export { type CheckedFlow, checkFlow, checkParsedFlow, isTypeProblem } from './language/flow/check-flow.ts';
export { nameEdges } from './language/flow/compile-flow.ts';
export type { CompiledEdge, CompiledGraph } from './language/flow/compiled-flow.ts';
export { composeFlow } from './language/flow/compose-flow.ts';
export {
  conditionTestsFailure,
  continuesOnFailure,
  failureCondition,
  successCondition,
} from './language/flow/failure-way.ts';
export type {
  EdgeDoc,
  FlowDoc,
  GroupDoc,
  LayoutColor,
  LayoutDoc,
  NodeDoc,
  NodePolicy,
  NodePosition,
  NoteDoc,
  WhenExpr,
} from './language/flow/flow-doc.ts';
export { callType, nodeIdPattern, reservedNodeIds } from './language/flow/flow-doc.ts';
export {
  defaultInputs,
  type InputDoc,
  type InputDocs,
  inputsSchemaOf,
  problemOf as inputProblemOf,
} from './language/flow/flow-interface.ts';
export { MAX_FLOW_TEXT_LENGTH } from './language/flow/flow-limits.ts';
export { type NodeScript, scriptDiagnostics, scriptsOf } from './language/flow/flow-scripts.ts';
export { bodyOwners, isLoop, itemCount, passLoop, previousRoot } from './language/flow/loops.ts';
export { type ParsedFlow, parseFlow } from './language/flow/parse-flow.ts';
export {
  addressNameOf,
  isProductFlowPath,
  productNameProblem,
  productOfPath,
  productsFolder,
} from './language/flow/product-path.ts';
export {
  type CalledFlow,
  calledName,
  callKeyOf,
  nodeWithSchemas,
  noSchemaFiles,
  type SchemaFile,
  type SchemaFiles,
  schemaFilesOf,
} from './language/flow/schema-files.ts';
export { packDefinition } from './language/flow/stored-definition.ts';
export { findNonJson } from './language/json/checked-json.ts';
export {
  isUnsafeNumber,
  parseJson,
  readExactJson,
  tooDeepError,
  unsafeNumberError,
  unsafeNumberMessage,
} from './language/json/exact-json.ts';
export { repeatedKeyProblem } from './language/json/foreign-json.ts';
export {
  isJsonList,
  isJsonMap,
  isWrittenAlike,
  type JsonMap,
  type JsonValue,
  jsonEquals,
} from './language/json/json-value.ts';
export { isValueHandle, type ValueHandle } from './language/json/value-handle.ts';
export { findJson } from './language/schema/find-json.ts';
export {
  type FieldEditor,
  type FieldScope,
  flowJsonSchema,
  formJsonSchema,
  outputJsonSchema,
  stepsJsonSchema,
} from './language/schema/json-schemas.ts';
export { problemsOf as schemaProblemsOf } from './language/schema/schema-problems.ts';
export { SchemaRefs } from './language/schema/schema-refs.ts';
export { convertSteps, type LostPart } from './language/steps/convert-steps.ts';
export { isStepId, type StepFlowDoc, type StepRetry } from './language/steps/step-flow-doc.ts';
export { type BudgetDoc, type BudgetPart, budgetParts, budgetText } from './language/triggers/budget-doc.ts';
export { nextTimes, timesBetween } from './language/triggers/next-times.ts';
export {
  missedOf,
  overlapOf,
  type ScheduleDoc,
  type TriggerDoc,
  type TriggerKind,
  triggerKindOf,
} from './language/triggers/trigger-doc.ts';
export { eventFieldsOf, eventRoot, triggerFindings } from './language/triggers/trigger-findings.ts';
export { parseWorkspaceTriggers, workspaceTriggersFile } from './language/triggers/workspace-triggers.ts';
export { withFields } from './language/types/describe-type.ts';
export type {
  MissingNodeType,
  NodeTypeCatalog,
  NodeTypeData,
  NodeTypeSpec,
  SummaryPart,
} from './language/types/node-type-spec.ts';
export type {
  ComparedNode,
  ComparedPlace,
  CompareRequest,
  NodeFigures,
  RunComparison,
  RunDifference,
  RunSide,
} from './runtime/compare/compare-runs.ts';
export type { DifferenceCause, NodeInRuns, NodeValues } from './runtime/compare/why-different.ts';
export { readPages, readWholeRun, type WholeRun } from './runtime/kernel/capabilities/read-run.ts';
export { foldRun, reduceRun } from './runtime/kernel/events/fold-run.ts';
export type { HeldNode, PausedAt } from './runtime/kernel/events/held-nodes.ts';
export type { BodyTally, LoopTally } from './runtime/kernel/events/loop-tallies.ts';
export { baseNodeId, isInBody, type LoopStep, loopStepsOf } from './runtime/kernel/events/node-places.ts';
export { PersistentMap } from './runtime/kernel/events/persistent-map.ts';
export type { Pin } from './runtime/kernel/events/pin-list.ts';
export {
  type EventEnvelope,
  type RunEvent,
  type RunKind,
  type RunPart,
  rootOf,
  type StartedBy,
  type SuspensionDecision,
  type SuspensionRequest,
} from './runtime/kernel/events/run-event.ts';
export type { RunStatus, RunSummary } from './runtime/kernel/events/run-state.ts';
export {
  emptyRunState,
  type NodeState,
  type NodeStatus,
  type RunState,
} from './runtime/kernel/events/run-state.ts';
export { type NodeSuggestion, suggestionsOf } from './runtime/kernel/events/run-suggestions.ts';
export { startKinds } from './runtime/kernel/events/start-event.ts';
export { endedTask, isNodeStep, nameOfTask, startedTask } from './runtime/kernel/events/task-events.ts';
export { WorkedTime } from './runtime/kernel/events/worked-time.ts';
export type { RunEndReason } from './runtime/kernel/hub/cancel-scope.ts';
export type { Breakpoint } from './runtime/kernel/hub/run-pause.ts';
export { type AnswerMisfit, isSecretSchema } from './runtime/kernel/requests/answer-fields.ts';
export { type Ask, type AskAnswer, type AskRequest, isLiveKey } from './runtime/kernel/requests/ask.ts';
export { lineOfRequest, permissionOf, toolFactsOf } from './runtime/kernel/requests/ask-request.ts';
export { checkAnswer } from './runtime/kernel/requests/check-answer.ts';
export { type WaitingRequest, waitingRequests } from './runtime/kernel/requests/waiting-requests.ts';
export { builtinTypes } from './runtime/nodes/builtin-types.ts';
export { describedType } from './runtime/nodes/described-type.ts';
export { findOtherNames, plainName } from './runtime/nodes/find-other-names.ts';
export { loopSchema } from './runtime/nodes/item-schemas.ts';
export { createNodeRegistry } from './runtime/nodes/node-registry.ts';
export {
  freeId,
  modelSettingOf,
  type NodeFit,
  nodeFit,
  type StarterLoopItem,
  starterNode,
  textChoices,
} from './runtime/nodes/starter-node.ts';
export { stepCatalog, stepNodeTypes, typesOfFlow } from './runtime/nodes/step-types.ts';
