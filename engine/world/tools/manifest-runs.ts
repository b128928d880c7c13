/**
 * Executes the definitions in tool manifests with node capabilities.
 */
import { EngineError } from '../../base/engine-error.ts';
import { tooDeepText } from '../../base/json-limits.ts';
import { resolveBindings } from '../../language/bindings/bindings.ts';
import { secretRoot } from '../../language/bindings/secret-bindings.ts';
import { FlowSource, type SourceTextPosition } from '../../language/flow/flow-source.ts';
import { jsonWarningTexts, readForeignJson } from '../../language/json/foreign-json.ts';
import { type JsonMap, type JsonValue, textForm } from '../../language/json/json-value.ts';
import type { AgentsCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { CodeCapability } from '../../runtime/kernel/capabilities/code-capability.ts';
import type { CommandsCapability } from '../../runtime/kernel/capabilities/command-capability.ts';
import type { WebCapability } from '../../runtime/kernel/capabilities/web-capability.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { gated } from './gated.ts';
import { failureOfStatus } from './http-status.ts';
import type { CommandRun, HttpRun, ToolRun } from './manifest-schema.ts';
import { filledAddress, filledHeader, filledText } from './request-params.ts';
import { type RunnableTool, type ToolContext, ToolFailure, unknownTool } from './tool-source.ts';

/** Dependencies of manifest tools. */
export interface ManifestWorld {
  readonly web: WebCapability;
  readonly commands: CommandsCapability;
  readonly code: CodeCapability;
  readonly agents: AgentsCapability;
  /** Finds a tool of an MCP server; undefined if it does not exist. */
  readonly findMcp: (name: string) => Promise<RunnableTool | undefined>;
}

/** The manifest of the tool to run. */
export interface ManifestPlace {
  readonly name: string;
  /** Path of the manifest: relative to the workspace with forward slashes, or absolute. */
  readonly path: string;
  /** Absolute path of the manifest's folder. */
  readonly folder: string;
  readonly codePlace: SourceTextPosition;
  /** The secrets that the manifest names; undefined if there are none. */
  readonly secrets: RunSecrets | undefined;
  /** Whether its output schema requires more than text. */
  readonly wantsJson: boolean;
}

interface Running {
  readonly params: JsonMap;
  readonly context: ToolContext;
  readonly place: ManifestPlace;
  readonly world: ManifestWorld;
}

const mebibyte = 1024 * 1024;
const mostAnswerBytes = 10 * mebibyte;
const mostOutputBytes = 4 * mebibyte;

/** Executes a manifest's definition. @throws errors from `RunnableTool.run` */
export async function runManifest(run: ToolRun, running: Running): Promise<JsonValue> {
  if (run.http !== undefined) return await runHttp(run.http, running);
  if (run.command !== undefined) return await runCommand(run.command, running);
  if (run.js !== undefined) return await runScript('javascript', run.js, running);
  if (run.lua !== undefined) return await runScript('lua', run.lua, running);
  if (run.mcp !== undefined) return await runMcp(run.mcp, running);
  if (run.agent !== undefined) return await runAgent(run.agent, running);
  return await runFlow(run.flow ?? '', running);
}

/** Fills a manifest's bindings. */
function filled<Value extends JsonValue>(value: Value, { params, place }: Running): JsonValue {
  const secrets = Object.fromEntries(place.secrets?.placeholders ?? []);
  return resolveBindings(value, {
    get: (root) => (root === 'params' ? params : root === secretRoot ? secrets : undefined),
  });
}

async function runHttp({ method, url, headers, body, parse }: HttpRun, running: Running): Promise<JsonValue> {
  const { context, world, place } = running;
  const valueFor = (source: string): JsonValue => filled(source, running);
  const own = Object.entries(headers).map(([name, value]) => [name, filledHeader(name, value, valueFor)] as const);
  const type = own.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const given = bodyOf(body as JsonValue | undefined, type, running);
  const sent = typeof given === 'string' || given === undefined ? given : JSON.stringify(given);
  const typed = typeof given === 'object' && type === undefined ? [...own, ['content-type', 'application/json']] : own;
  const answer = await gated({ web: world.web }, context).web.send(
    {
      url: filledAddress(url, valueFor),
      method,
      headers: Object.fromEntries(typed),
      body: sent,
      maxBytes: mostAnswerBytes,
      ...(place.secrets === undefined ? {} : { secrets: place.secrets }),
    },
    context.signal,
  );
  context.note({ status: answer.status });
  const failed = failureOfStatus(answer);
  if (failed !== undefined) throw failed;
  const saysJson = /^[^;]*[/+]json\s*(?:;|$)/i.test(answer.headers['content-type'] ?? '');
  return readText(answer.text, { parse, place, isJson: saysJson, what: 'The response', hub: context.hub });
}

function textsOf(map: JsonMap): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, textForm(value)]));
}

/** Returns the body, with maps and lists filled value by value; undefined if there is none. */
function bodyOf(body: JsonValue | undefined, type: string | undefined, running: Running): JsonValue | undefined {
  if (typeof body !== 'string') return body === undefined ? undefined : filled(body, running);
  return filledText(body, type, (source) => filled(source, running));
}

async function runCommand(run: CommandRun, running: Running): Promise<JsonValue> {
  const { context, place, world } = running;
  const { program, args, cwd, env, stdin, parse } = run;
  const outcome = await world.commands.run(
    {
      program,
      args: args.flatMap((arg) => argumentsOf(filled(arg, running))),
      ...(cwd === undefined ? {} : { cwd }),
      env: textsOf(filled(env, running) as JsonMap),
      ...(stdin === undefined ? {} : { stdin: textForm(filled(stdin, running)) }),
      maxBytes: mostOutputBytes,
      decisions: context.hub,
      ...(place.secrets === undefined ? {} : { secrets: place.secrets }),
    },
    context.signal,
  );
  const { exitCode, signal, stdout, stderr } = outcome;
  if (exitCode !== 0) {
    const said = (stderr.trim() || stdout.trim()).slice(-300);
    const how = signal === undefined ? `ended with exit code ${exitCode}` : `was ended by signal ${signal}`;
    throw new ToolFailure('server_error', `${program} ${how}${said === '' ? '.' : `: ${said}`}`);
  }
  return readText(stdout, { parse, place, isJson: false, what: `The output of ${program}`, hub: context.hub });
}

/** Expands a list to several arguments. */
function argumentsOf(value: JsonValue): readonly string[] {
  return Array.isArray(value) ? value.map(textForm) : [textForm(value)];
}

interface TextReading {
  readonly parse: 'auto' | 'text' | 'json';
  readonly place: ManifestPlace;
  /** Whether the sender declares it as JSON. */
  readonly isJson: boolean;
  readonly what: string;
  /** Receives warnings. */
  readonly hub: Running['context']['hub'];
}

/** @throws ToolFailure for text that must be JSON but is not */
function readText(text: string, { parse, place, isJson, what, hub }: TextReading): JsonValue {
  const mustBeJson = parse === 'json' || (parse === 'auto' && place.wantsJson);
  if (parse === 'text' || !(mustBeJson || isJson)) return text;
  const read = readForeignJson(text);
  if (read.kind === 'value') {
    for (const note of read.notes === undefined ? [] : jsonWarningTexts(what, read.notes))
      hub.emit({ type: 'log', level: 'warn', text: note });
    return read.value;
  }
  if (!mustBeJson) return text;
  if (read.kind === 'too-deep')
    throw new ToolFailure('server_error', `${what} ${tooDeepText}.`, { isRetryable: false });
  const beginning = text === '' ? 'it is empty' : `it begins with ${JSON.stringify(text.slice(0, 60))}`;
  throw new ToolFailure('server_error', `${what} is not JSON: ${beginning}.`, { isRetryable: false });
}

async function runScript(language: 'javascript' | 'lua', code: string, running: Running): Promise<JsonValue> {
  const { params, context, place, world } = running;
  const source = new ManifestSource(place);
  const { hub, runId, signal, flows } = context;
  return await world.code.run(
    { language, code, input: params, path: ['run', language === 'lua' ? 'lua' : 'js'] },
    { nodeId: place.name, runId, hub, signal, source, ...(flows && { flows }) },
  );
}

/**
 * A manifest as the source of scripts: script lines are lines of the manifest, which determines the scripts'
 * permissions.
 */
class ManifestSource extends FlowSource {
  readonly #place: SourceTextPosition;

  constructor({ path, codePlace }: ManifestPlace) {
    super(path, '');
    this.#place = codePlace;
  }

  override placeOf(): SourceTextPosition {
    return this.#place;
  }
}

/**
 * Finds the MCP tool that a manifest names, and starts its server if necessary. @throws EngineError `tool.unknown` |
 * `mcp.*`
 */
export async function findServerTool(
  { server, tool }: NonNullable<ToolRun['mcp']>,
  { findMcp }: Pick<ManifestWorld, 'findMcp'>,
): Promise<RunnableTool> {
  const name = `${server}.${tool}`;
  const found = await findMcp(name);
  if (found === undefined) throw unknownTool(name, []);
  return found;
}

async function runMcp({ server, tool }: NonNullable<ToolRun['mcp']>, running: Running): Promise<JsonValue> {
  const found = await findServerTool({ server, tool }, running.world);
  return await found.run(running.params, running.context);
}

async function runAgent(agent: string, { params, context, place, world }: Running): Promise<JsonValue> {
  const { hub, signal, depth, isDry, flows, former = [], callKey, answers } = context;
  const { outputs, afterAll } = await world.agents.run(
    { agent, inputs: [params], baseFolder: place.folder },
    {
      ...{ hub, signal, depth: depth + 1, isDry, followsRedo: true, former, callKey },
      ...(flows && { flows }),
      ...(answers && { answers }),
    },
  );
  return outputs?.length === 1 ? (outputs[0] ?? null) : (afterAll ?? outputs?.map((one) => one) ?? null);
}

async function runFlow(flow: string, { params, context, place }: Running): Promise<JsonValue> {
  const { flows, hub, signal, former = [], callKey, answers } = context;
  if (flows === undefined) {
    throw new EngineError({
      code: 'flow.not-callable',
      message: `${place.name} runs a flow, so only a run of a flow or an agent can call it. To try it, run the flow itself.`,
    });
  }
  const call = { flow, namedIn: place.path, input: params };
  return await flows.run(call, { hub, signal, former, callKey, ...(answers && { answers }) });
}
