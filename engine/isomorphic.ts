/**
 * The part of the engine for browsers: parsing and validating flow files, the built-in node types, and interpreting
 * events of a run. It uses nothing from Node, and runs no flows.
 */
export { optionDocs } from './agent/agent-options.ts';
export { fenceLanguage, headingKind, type Section, type SectionKind, scanAgent } from './agent/agent-scanner.ts';
export { contextDocs } from './agent/context-docs.ts';
export { type LuaToken, type OpenLua, readLua } from './agent/lua-tokens.ts';
export { parseAgent } from './agent/parse-agent.ts';
export { returnedFields } from './agent/returned-fields.ts';
export { assertNever } from './base/assert-never.ts';
export { type ConsentScope, needKey, needText, type PermissionNeed } from './base/consent.ts';
export { causesOf, EngineError, type ErrorRecord, toErrorRecord } from './base/engine-error.ts';
export { asRunId, asSessionId, type RunId, type SessionId, taskIdOf } from './base/ids.ts';
export { applyEdits, editBetween, mapOffset, rebaseEdits, type TextEdit } from './base/text-edit.ts';
export { webAddressProblem } from './base/web-address.ts';
export { hookNames } from './dialogue/base-flow.ts';
export { baseOf, universalIntents } from './dialogue/catalogue.ts';
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
} from './dialogue/catalogue-doc.ts';
export { catalogueProblems } from './dialogue/catalogue-findings.ts';
export { type ChatTurn, missedExpectations, parseChatScript, type TakenTurn } from './dialogue/chat-script.ts';
export type { DialogueAct } from './dialogue/dialogue-act.ts';
export type { CatalogueChange } from './dialogue/edit/catalogue-change.ts';
export { editCatalogue, newFlowType } from './dialogue/edit/edit-catalogue.ts';
export { type ParsedCatalogue, parseCatalogue } from './dialogue/parse-catalogue.ts';
export type { PlanProgress } from './dialogue/plan.ts';
export type { OutsideEffect, PlanCandidate, SessionEnvelope, SessionEvent } from './dialogue/session-event.ts';
export type {
  AmbiguityLevel,
  CatalogueVersion,
  FlowStatus,
  Prediction,
  ScratchpadEntry,
  SubFlow,
  UiAction,
  UserMessage,
} from './dialogue/session-state.ts';
export type {
  AmbiguityView,
  FlowView,
  MessageView,
  PlanView,
  SessionView,
  SlotView,
} from './dialogue/session-view.ts';
export { type SlotPriority, slotParams, slotSchema, slotTypeNames } from './dialogue/slot-types.ts';
export { isAgentType } from './flowspec/agent-type-name.ts';
export { type AutonomyLevel, autonomyLevels, lowerOf, type SuggestedAction } from './flowspec/autonomy.ts';
export { parsePath, pathText, readPath } from './flowspec/binding-path.ts';
export { type Binding, parseTemplate } from './flowspec/binding-template.ts';
export { holdsBinding } from './flowspec/bindings.ts';
export { type CalledInterface, calledFileOf, collectCalledFlows, interfaceOf } from './flowspec/called-flows.ts';
export { type CheckedFlow, checkFlow, checkParsedFlow, isTypeProblem } from './flowspec/check-flow.ts';
export { findNonJson } from './flowspec/checked-json.ts';
export { nameEdges } from './flowspec/compile-flow.ts';
export type { CompiledEdge, CompiledGraph } from './flowspec/compiled-flow.ts';
export { composeFlow } from './flowspec/compose-flow.ts';
export { withFields } from './flowspec/describe-type.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  hasErrors,
  renderDiagnostic,
  type TextRange,
} from './flowspec/diagnostic.ts';
export { editFlow, extractedText, type FlowEdit } from './flowspec/edit/edit-flow.ts';
export type { ChangePath, Extraction, FlowChange } from './flowspec/edit/flow-change.ts';
export { type Fragment, fragmentText, type PasteOptions, pasteChange, readFragment } from './flowspec/edit/fragment.ts';
export { type InputUse, usesOfInput } from './flowspec/edit/rename-input.ts';
export {
  isUnsafeNumber,
  parseJson,
  readExactJson,
  tooDeepError,
  unsafeNumberError,
  unsafeNumberMessage,
} from './flowspec/exact-json.ts';
export {
  conditionTestsFailure,
  continuesOnFailure,
  failureCondition,
  successCondition,
} from './flowspec/failure-way.ts';
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
} from './flowspec/flow-doc.ts';
export { callType, nodeIdPattern, reservedNodeIds } from './flowspec/flow-doc.ts';
export {
  defaultInputs,
  type InputDoc,
  type InputDocs,
  inputsSchemaOf,
  problemOf as inputProblemOf,
} from './flowspec/flow-interface.ts';
export { MAX_FLOW_TEXT_LENGTH } from './flowspec/flow-limits.ts';
export { type NodeScript, scriptDiagnostics, scriptsOf } from './flowspec/flow-scripts.ts';
export { repeatedKeyProblem } from './flowspec/foreign-json.ts';
export { javaScriptGlobals, listMethods, textMethods } from './flowspec/javascript-names.ts';
export {
  type FieldEditor,
  type FieldScope,
  flowJsonSchema,
  formJsonSchema,
  outputJsonSchema,
  stepsJsonSchema,
} from './flowspec/json-schemas.ts';
export {
  isJsonList,
  isJsonMap,
  isWrittenAlike,
  type JsonMap,
  type JsonValue,
  jsonEquals,
} from './flowspec/json-value.ts';
export { bodyOwners, isLoop, itemCount, passLoop, previousRoot } from './flowspec/loops.ts';
export type { SkipReason } from './flowspec/markers.ts';
export type {
  MissingNodeType,
  NodeTypeCatalog,
  NodeTypeData,
  NodeTypeSpec,
  SummaryPart,
} from './flowspec/node-type-spec.ts';
export { type FieldProblem, fieldProblems } from './flowspec/node-value-findings.ts';
export { type ParsedFlow, parseFlow } from './flowspec/parse-flow.ts';
export { isProductFlowPath, productNameProblem, productOfPath, productsFolder } from './flowspec/product-path.ts';
export {
  type CalledFlow,
  calledName,
  callKeyOf,
  nodeWithSchemas,
  noSchemaFiles,
  type SchemaFile,
  type SchemaFiles,
  schemaFilesOf,
} from './flowspec/schema-files.ts';
export { problemsOf as schemaProblemsOf } from './flowspec/schema-problems.ts';
export { isSecretName, secretNamesOf } from './flowspec/secret-bindings.ts';
export { convertSteps, type LostPart } from './flowspec/steps/convert-steps.ts';
export { isStepId, type StepFlowDoc, type StepRetry } from './flowspec/steps/step-flow-doc.ts';
export { packDefinition } from './flowspec/stored-definition.ts';
export { edgeRefusal } from './flowspec/validate-flow.ts';
export { isValueHandle, type ValueHandle } from './flowspec/value-handle.ts';
export type { ComparisonOp, ConditionScope, WhenTrace } from './flowspec/when.ts';
export { comparisonOf, conditionSightsOf, explainWhen } from './flowspec/when.ts';
export { conditionText, whenText } from './flowspec/when-text.ts';
export type { AnswerMisfit } from './kernel/answer-fields.ts';
export type { Ask, AskAnswer, AskRequest } from './kernel/ask.ts';
export { lineOfRequest, permissionOf, toolFactsOf } from './kernel/ask-request.ts';
export type { RunEndReason } from './kernel/cancel-scope.ts';
export { checkAnswer } from './kernel/check-answer.ts';
export { foldRun, reduceRun } from './kernel/fold-run.ts';
export type { BodyTally, LoopTally } from './kernel/loop-tallies.ts';
export { baseNodeId, isInBody, type LoopStep, loopStepsOf } from './kernel/node-places.ts';
export { readPages, readWholeRun, type WholeRun } from './kernel/read-run.ts';
export {
  type EventEnvelope,
  type RunEvent,
  type RunKind,
  type RunPart,
  rootOf,
  type SuspensionDecision,
  type SuspensionRequest,
} from './kernel/run-event.ts';
export type { RunStatus, RunSummary } from './kernel/run-state.ts';
export { emptyRunState, type NodeState, type NodeStatus, type Pin, type RunState } from './kernel/run-state.ts';
export { type NodeSuggestion, suggestionsOf } from './kernel/run-suggestions.ts';
export { endedTask, nameOfTask, startedTask } from './kernel/task-events.ts';
export { type WaitingRequest, waitingRequests } from './kernel/waiting-requests.ts';
export { WorkedTime } from './kernel/worked-time.ts';
export { builtinTypes } from './nodes/builtin-types.ts';
export { describedType } from './nodes/described-type.ts';
export { findOtherNames, plainName } from './nodes/find-other-names.ts';
export { loopSchema } from './nodes/item-schemas.ts';
export { createNodeRegistry } from './nodes/node-registry.ts';
export {
  freeId,
  modelSettingOf,
  type NodeFit,
  nodeFit,
  type StarterLoopItem,
  starterNode,
  textChoices,
} from './nodes/starter-node.ts';
export { stepCatalog, stepNodeTypes, typesOfFlow } from './nodes/step-types.ts';
export { findJson } from './schema/find-json.ts';
export { SchemaRefs } from './schema/schema-refs.ts';
