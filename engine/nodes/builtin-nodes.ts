/**
 * The node types that ship, one line each.
 */
import type { NodeType } from '../flow/node-type.ts';
import { conditionEqualsNode } from './condition-equals/condition-equals-node.ts';
import { constantNode } from './constant/constant-node.ts';
import { controlFailNode } from './control-fail/control-fail-node.ts';
import { controlNoopNode } from './control-noop/control-noop-node.ts';
import { controlWaitNode } from './control-wait/control-wait-node.ts';
import { echoNode } from './echo/echo-node.ts';
import { fileReadNode } from './file-read/file-read-node.ts';
import { fileWriteNode } from './file-write/file-write-node.ts';
import { promptNode } from './prompt/prompt-node.ts';
import { templateNode } from './template/template-node.ts';

export const builtinNodes: readonly NodeType[] = [
  promptNode,
  fileReadNode,
  fileWriteNode,
  templateNode,
  echoNode,
  constantNode,
  conditionEqualsNode,
  controlWaitNode,
  controlFailNode,
  controlNoopNode,
];
