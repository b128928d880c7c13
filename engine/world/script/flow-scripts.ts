/** Runs scripts in flows: JavaScript in its own sandbox, Lua like agent scripts. Errors name the flow file's line. */
import { resolve } from 'node:path';
import { EngineError, type ErrorRecord, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { MAX_OUTPUT_BYTES } from '../../language/flow/flow-limits.ts';
import { lineInFile, type SourceTextPosition } from '../../language/flow/flow-source.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { ScriptsCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { CodeCapability, FlowScript, FlowScriptScope } from '../../runtime/kernel/capabilities/code-capability.ts';
import type { ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import type { JsRuntime } from '../js/js-runtime.ts';

export interface FlowScriptsOptions {
  readonly workspace: string;
  readonly javascript: Pick<JsRuntime, 'run'>;
  /** Runs Lua on behalf of a script. */
  readonly lua: Pick<ScriptsCapability, 'run'>;
  /** The part of `CTX` that is the same for all agent scripts. */
  readonly scriptContext: JsonMap;
  /** Opens the secrets that Lua can request by name. @param file absolute path of the flow */
  readonly openSecrets: (file: string) => ScriptSecrets;
  /** Timeout for each script in milliseconds; null to apply only the node's own. */
  readonly timeoutMs: number | null;
}

/** Creates the capability to run flow scripts. */
export function createFlowScripts(options: FlowScriptsOptions): CodeCapability {
  return {
    run: (script, scope) =>
      script.language === 'lua' ? runLua(script, scope, options) : runJavaScript(script, scope, options),
  };
}

async function runJavaScript(
  script: FlowScript,
  scope: FlowScriptScope,
  { javascript, timeoutMs }: FlowScriptsOptions,
): Promise<JsonValue> {
  const { code, input } = script;
  const { hub, signal } = scope;
  const task = hub.taskId === undefined ? {} : { taskId: hub.taskId };
  const log: Parameters<JsRuntime['run']>[1]['log'] = async (line) => {
    hub.emit({ type: 'log', ...line, ...task });
    return null;
  };
  try {
    const order = { code, inputText: JSON.stringify(input), maxResultBytes: MAX_OUTPUT_BYTES };
    return await javascript.run(order, { log }, { signal, timeoutMs });
  } catch (thrown) {
    throw signal.aborted ? thrown : inFile(toErrorRecord(thrown), script, scope);
  }
}

/** Converts the lines of code in a failure to lines of the file, each with its text. */
function inFile(record: ErrorRecord, script: FlowScript, scope: FlowScriptScope): EngineError {
  if (record.code === 'node.bad-output') return badOutput(record, scope);
  const { line: codeLine, details } = record;
  if (codeLine === undefined) return fromErrorRecord(record);
  const place = placeOf(script, scope);
  const { lines = [codeLine] } = (details ?? {}) as { readonly lines?: readonly number[] };
  const texts = script.code.split(/\r?\n/);
  const shown = lines.map(
    (line) => `At line ${lineInFile(place, line)} '${(texts[line - 1] ?? '').trim().slice(0, 200)}'`,
  );
  return new EngineError({
    ...record,
    message: [record.message, ...shown].join('\n'),
    line: lineInFile(place, codeLine),
    details: { codeLine },
  });
}

/** @param details position of the first invalid value in the result */
function badOutput({ details }: ErrorRecord, { nodeId }: FlowScriptScope): EngineError {
  const [{ path, message } = { path: [], message: 'is not valid JSON' }] = details as readonly Culprit[];
  return new EngineError({
    code: 'node.bad-output',
    message: `Node "${nodeId}": ${['output', ...path].join('.')} ${message}`,
    nodeId,
    details,
  });
}

interface Culprit {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function placeOf({ path }: FlowScript, { source, nodeId }: FlowScriptScope): SourceTextPosition {
  return source?.placeOf(nodeId, path) ?? { line: 1, isExact: true };
}

/** Lua messages contain line numbers, so the code is moved to its position in the file. */
async function runLua(script: FlowScript, scope: FlowScriptScope, options: FlowScriptsOptions): Promise<JsonValue> {
  const { nodeId, runId, hub, signal, source, flows } = scope;
  const path = source?.path ?? 'flow';
  const place = placeOf(script, scope);
  const shownPath = place.isExact ? path : `node "${nodeId}"`;
  const moved = place.isExact ? '\n'.repeat(place.line - 1) + script.code : script.code;
  const taskId = hub.taskId === undefined ? {} : { taskId: hub.taskId };
  const file = resolve(options.workspace, path);
  const secrets = options.openSecrets(file);
  const owner = {
    place: { name: path, file, shownPath },
    ...{ runId, hub: hub.with({ secrets }), ...taskId, depth: 0, isDry: false, secrets },
    ...(flows === undefined ? {} : { flows }),
  };
  const CTX = { ...options.scriptContext, RUN_UID: hub.runId };
  const request = { code: moved, globals: { input: script.input, CTX }, timeoutMs: options.timeoutMs };
  try {
    return secrets.mask(await options.lua.run(request, owner, signal));
  } catch (thrown) {
    throw signal.aborted ? thrown : luaInFile(secrets.mask(toErrorRecord(thrown)), place, scope);
  }
}

function luaInFile(record: ErrorRecord, place: SourceTextPosition, scope: FlowScriptScope): EngineError {
  if (record.code === 'lua.bad-value') return badOutput(record, scope);
  const { line, details } = record;
  if (line === undefined) return fromErrorRecord(record);
  const codeLine = place.isExact ? line - place.line + 1 : line;
  const known = typeof details === 'object' && details !== null ? details : {};
  return fromErrorRecord({ ...record, line: place.isExact ? line : place.line, details: { ...known, codeLine } });
}
