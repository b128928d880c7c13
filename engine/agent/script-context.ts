/**
 * `CTX`: what a script can know of its run.
 */
import type { StageName } from '../base/engine-error.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import type { AgentPlace, PackPlace } from '../kernel/agent-capabilities.ts';
import type { AgentRequest } from './agent-request.ts';

/** The part that is the same in all stages of a run. */
export function runContextOf({ context, place, runId, parentRunId, redoCount }: AgentRequest): JsonMap {
  return {
    ...context,
    ...agentContext(place),
    ...(place.pack === undefined ? {} : packContext(place.pack)),
    RUN_UID: runId,
    ...(parentRunId === undefined ? {} : { PARENT_RUN_UID: parentRunId }),
    ...(redoCount === 0 ? {} : { RUN_FLOW_REDO_COUNT: redoCount, REDO_COUNT: redoCount }),
  };
}

/** The whole of it for one stage; `index` is that of the input, from 0, for the stages that belong to one. */
export function stageContextOf(runContext: JsonMap, stage: StageName, index?: number): JsonMap {
  if (index === undefined) return { ...runContext, STAGE: stage };
  const taskNumber = index + 1;
  return { ...runContext, STAGE: stage, TASK_UID: `${runContext['RUN_UID']}-${taskNumber}`, TASK_NUM: taskNumber };
}

function agentContext({ name, file }: AgentPlace): JsonMap {
  const path = withSlashes(file);
  const end = path.lastIndexOf('/');
  const fileName = path.slice(end + 1);
  const dot = fileName.lastIndexOf('.');
  return {
    AGENT_NAME: name,
    AGENT_FILE_PATH: path,
    AGENT_FILE_DIR: path.slice(0, Math.max(end, 1)),
    AGENT_FILE_NAME: fileName,
    AGENT_FILE_STEM: dot > 0 ? fileName.slice(0, dot) : fileName,
  };
}

function packContext(pack: PackPlace): JsonMap {
  const identity = `${pack.namespace}@${pack.name}`;
  return {
    PACK_NAMESPACE: pack.namespace,
    PACK_NAME: pack.name,
    PACK_IDENTITY: identity,
    PACK_REF: pack.subPath === '' ? identity : `${identity}/${pack.subPath}`,
    PACK_DIR: withSlashes(pack.folder),
    PACK_BASE_SUPPORT_DIR: withSlashes(pack.baseSupportFolder),
    PACK_WORKSPACE_SUPPORT_DIR: withSlashes(pack.workspaceSupportFolder),
    ...(pack.subPath === '' ? {} : { PACK_SUB_PATH: pack.subPath }),
  };
}

/** Scripts cut and join paths with `/` on every system. Elsewhere than on Windows a backslash is part of a name. */
function withSlashes(path: string): string {
  return /^(?:[A-Za-z]:|\\\\)/.test(path) ? path.replaceAll('\\', '/') : path;
}
