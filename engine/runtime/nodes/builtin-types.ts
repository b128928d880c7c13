/**
 * Descriptions of the bundled node types, one line each, in display order.
 */
import type { NodeTypeSpec } from '../../language/types/node-type-spec.ts';
import { agentType } from './agent/agent-type.ts';
import { commandRunType } from './command-run/command-run-type.ts';
import { conditionEqualsType } from './condition-equals/condition-equals-type.ts';
import { constantType } from './constant/constant-type.ts';
import { controlFailType } from './control-fail/control-fail-type.ts';
import { controlForeachType } from './control-foreach/control-foreach-type.ts';
import { controlIfType } from './control-if/control-if-type.ts';
import { controlLoopType } from './control-loop/control-loop-type.ts';
import { controlNoopType } from './control-noop/control-noop-type.ts';
import { controlSwitchType } from './control-switch/control-switch-type.ts';
import { controlWaitType } from './control-wait/control-wait-type.ts';
import { echoType } from './echo/echo-type.ts';
import { fileReadType } from './file-read/file-read-type.ts';
import { fileWriteType } from './file-write/file-write-type.ts';
import { flowType } from './flow/flow-type.ts';
import { httpRequestType } from './http-request/http-request-type.ts';
import { humanApprovalType } from './human-approval/human-approval-type.ts';
import { jsonParseType } from './json-parse/json-parse-type.ts';
import { jsonQueryType } from './json-query/json-query-type.ts';
import { listFilterType } from './list-filter/list-filter-type.ts';
import { listMapType } from './list-map/list-map-type.ts';
import { listSortType } from './list-sort/list-sort-type.ts';
import { listUniqueType } from './list-unique/list-unique-type.ts';
import { planProposalType } from './plan-proposal/plan-proposal-type.ts';
import { promptType } from './prompt/prompt-type.ts';
import { respondType } from './respond/respond-type.ts';
import { scriptJsType } from './script-js/script-js-type.ts';
import { scriptLuaType } from './script-lua/script-lua-type.ts';
import { templateType } from './template/template-type.ts';
import { textJoinType } from './text-join/text-join-type.ts';
import { textSplitType } from './text-split/text-split-type.ts';
import { toolType } from './tool/tool-type.ts';
import { userInputType } from './user-input/user-input-type.ts';

export const builtinTypes: readonly NodeTypeSpec[] = [
  promptType,
  agentType,
  flowType,
  fileReadType,
  fileWriteType,
  httpRequestType,
  respondType,
  commandRunType,
  toolType,
  scriptJsType,
  scriptLuaType,
  templateType,
  echoType,
  constantType,
  jsonParseType,
  jsonQueryType,
  listMapType,
  listFilterType,
  listSortType,
  listUniqueType,
  textJoinType,
  textSplitType,
  conditionEqualsType,
  controlIfType,
  controlSwitchType,
  controlForeachType,
  controlLoopType,
  controlWaitType,
  controlFailType,
  controlNoopType,
  humanApprovalType,
  userInputType,
  planProposalType,
];
