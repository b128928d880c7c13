/**
 * Puts capabilities behind a gate: it checks each of their effects, and a run's output, first. Commands use their
 * runner's gate.
 */
import { type ErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import { addressWithoutQuery, readWebAddress } from '../../../base/web-address.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { Hub } from '../hub/hub.ts';
import type { ModelCapability, ModelReply, ModelRequest, ModelTarget } from '../models/model-capability.ts';
import type { CallersCapability } from './callers-capability.ts';
import type { Capabilities } from './capabilities.ts';
import type { GovernanceCapability, RunGate } from './effect.ts';
import type { FilesCapability } from './files-capability.ts';
import type { PureAgentsCapability } from './pure-agents-capability.ts';
import type { WebCapability } from './web-capability.ts';

/** Returns the capabilities with a check before each effect that is not checked elsewhere. */
export function withGate(can: Partial<Capabilities>, gate: RunGate): Partial<Capabilities> {
  const { web, files, model, pureAgents, callers } = can;
  if ([web, files, model, pureAgents, callers].every((one) => one === undefined)) return can;
  return {
    ...can,
    ...(pureAgents === undefined ? {} : { pureAgents: gatedAgents(pureAgents, gate) }),
    ...(callers === undefined ? {} : { callers: gatedCallers(callers, gate) }),
    ...(web === undefined ? {} : { web: gatedWeb(web, gate) }),
    ...(files === undefined ? {} : { files: gatedFiles(files, gate) }),
    ...(model === undefined ? {} : { model: new GatedModel(model, gate) }),
  };
}

/** An agent's output passes the gate before its step receives it. */
function gatedAgents(agents: PureAgentsCapability, gate: RunGate): PureAgentsCapability {
  return {
    async run(call, scope) {
      const result = await agents.run(call, scope);
      if (!result.ok || result.data === null) return result;
      const { agent_name: target } = result.meta;
      const refused = await refusal(() => gate.pass({ effect: 'output', target, value: result.data }, scope.signal));
      if (refused === undefined) return result;
      scope.signal.throwIfAborted();
      const { message, details = {} } = refused;
      const error = { code: 'policy_blocked', message, recoverable: false, details: details as JsonMap } as const;
      return { ok: false, data: null, error, meta: result.meta };
    },
  };
}

async function refusal(pass: () => Promise<unknown>): Promise<ErrorRecord | undefined> {
  try {
    await pass();
    return undefined;
  } catch (thrown) {
    return toErrorRecord(thrown);
  }
}

/** A response leaves the run as its output does. */
function gatedCallers(callers: CallersCapability, gate: RunGate): CallersCapability {
  return {
    async respond(runId, response, signal) {
      await gate.pass({ effect: 'output', target: 'the caller', value: response.body }, signal);
      return await callers.respond(runId, response, signal);
    },
  };
}

/** Each address is checked, including redirect targets. */
function gatedWeb(web: WebCapability, gate: RunGate): WebCapability {
  return {
    async send(request, signal) {
      const admit = async (url: string): Promise<void> => {
        await gate.pass({ effect: 'web', target: addressWithoutQuery(readWebAddress(url)) }, signal);
      };
      await admit(request.url);
      return await web.send({ ...request, admitRedirect: admit, isPublicOnly: gate.isUnseen }, signal);
    },
  };
}

/** A model behind the gate. A caller that emits its own requests calls `admit` first, then `model`. */
export class GatedModel implements ModelCapability {
  readonly model: ModelCapability;
  readonly #gate: RunGate;

  constructor(model: ModelCapability, gate: RunGate) {
    this.model = model;
    this.#gate = gate;
  }

  resolve(model: string | undefined): ModelTarget {
    return this.model.resolve(model);
  }

  settingsOf(model: string | undefined): Promise<string> {
    return this.model.settingsOf(model);
  }

  async ask(request: ModelRequest, options: Parameters<ModelCapability['ask']>[1]): Promise<ModelReply> {
    return await this.model.ask(await this.admit(request, options.signal), options);
  }

  /** @returns the request with the limit set by a policy. @throws EngineError `effect.denied` */
  async admit(request: ModelRequest, signal: AbortSignal): Promise<ModelRequest> {
    const { provider, model } = this.model.resolve(request.model);
    const target = `${provider}::${model}`;
    const asked = { effect: 'model', target, maxTokens: request.maxTokens, said: request } as const;
    const { maxTokens } = await this.#gate.pass(asked, signal);
    return maxTokens === undefined ? request : { ...request, maxTokens };
  }
}

const never = new AbortController().signal;

/** The output of a run that ended successfully. */
interface RunOutput {
  readonly hub: Pick<Hub, 'emit'>;
  /** Name of the run. */
  readonly name: string;
  readonly output: JsonValue;
}

/** Returns why a run may not return its output; undefined if it may. */
export async function refusalOfOutput(
  governance: GovernanceCapability | undefined,
  { hub, name, output }: RunOutput,
): Promise<ErrorRecord | undefined> {
  return await refusal(
    async () => await governance?.open({ hub }).pass({ effect: 'output', target: name, value: output }, never),
  );
}

function gatedFiles(files: FilesCapability, gate: RunGate): FilesCapability {
  const read = async (targets: readonly string[], signal: AbortSignal): Promise<void> => {
    for (const target of targets) await gate.pass({ effect: 'read', target }, signal);
  };
  const write = (target: string) => gate.pass({ effect: 'write', target }, never);
  return {
    async readText(path, signal) {
      await read([path], signal);
      return await files.readText(path, signal);
    },
    async readGlobs(globs, signal) {
      await read(globs, signal);
      return await files.readGlobs(globs, signal);
    },
    async readBytes(path, signal) {
      await read([path], signal);
      return await files.readBytes(path, signal);
    },
    async readBytesOfGlobs(globs, signal) {
      await read(globs, signal);
      return await files.readBytesOfGlobs(globs, signal);
    },
    async withOpened(paths, use, signal) {
      await read(paths, signal);
      return await files.withOpened(paths, use, signal);
    },
    async save(path, fill) {
      await write(path);
      return await files.save(path, fill);
    },
    async writeText(path, text, mode) {
      await write(path);
      return await files.writeText(path, text, mode);
    },
  };
}
