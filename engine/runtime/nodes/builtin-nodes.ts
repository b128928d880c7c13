/**
 * The bundled node types with their implementations, one line each, in the order of `builtin-types.ts`.
 */
import type { NodeType } from '../flow/node-type.ts';
import { agentNode } from './agent/agent-node.ts';
import { commandRunNode } from './command-run/command-run-node.ts';
import { conditionEqualsNode } from './condition-equals/condition-equals-node.ts';
import { constantNode } from './constant/constant-node.ts';
import { controlFailNode } from './control-fail/control-fail-node.ts';
import { controlForeachNode } from './control-foreach/control-foreach-node.ts';
import { controlIfNode } from './control-if/control-if-node.ts';
import { controlLoopNode } from './control-loop/control-loop-node.ts';
import { controlNoopNode } from './control-noop/control-noop-node.ts';
import { controlSwitchNode } from './control-switch/control-switch-node.ts';
import { controlWaitNode } from './control-wait/control-wait-node.ts';
import { echoNode } from './echo/echo-node.ts';
import { fileReadNode } from './file-read/file-read-node.ts';
import { fileWriteNode } from './file-write/file-write-node.ts';
import { flowNode } from './flow/flow-node.ts';
import { httpRequestNode } from './http-request/http-request-node.ts';
import { humanApprovalNode } from './human-approval/human-approval-node.ts';
import { jsonParseNode } from './json-parse/json-parse-node.ts';
import { jsonQueryNode } from './json-query/json-query-node.ts';
import { listFilterNode } from './list-filter/list-filter-node.ts';
import { listMapNode } from './list-map/list-map-node.ts';
import { listSortNode } from './list-sort/list-sort-node.ts';
import { listUniqueNode } from './list-unique/list-unique-node.ts';
import { planProposalNode } from './plan-proposal/plan-proposal-node.ts';
import { promptNode } from './prompt/prompt-node.ts';
import { respondNode } from './respond/respond-node.ts';
import { scriptJsNode } from './script-js/script-js-node.ts';
import { scriptLuaNode } from './script-lua/script-lua-node.ts';
import { templateNode } from './template/template-node.ts';
import { textJoinNode } from './text-join/text-join-node.ts';
import { textSplitNode } from './text-split/text-split-node.ts';
import { toolNode } from './tool/tool-node.ts';
import { userInputNode } from './user-input/user-input-node.ts';

export const builtinNodes: readonly NodeType[] = [
  promptNode,
  agentNode,
  flowNode,
  fileReadNode,
  fileWriteNode,
  httpRequestNode,
  respondNode,
  commandRunNode,
  toolNode,
  scriptJsNode,
  scriptLuaNode,
  templateNode,
  echoNode,
  constantNode,
  jsonParseNode,
  jsonQueryNode,
  listMapNode,
  listFilterNode,
  listSortNode,
  listUniqueNode,
  textJoinNode,
  textSplitNode,
  conditionEqualsNode,
  controlIfNode,
  controlSwitchNode,
  controlForeachNode,
  controlLoopNode,
  controlWaitNode,
  controlFailNode,
  controlNoopNode,
  humanApprovalNode,
  userInputNode,
  planProposalNode,
];
