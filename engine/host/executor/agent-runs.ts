/**
 * Runs agents, as root or child runs, and provides their dependencies.
 */

import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { AgentDoc, AgentOptions, OutputSchema } from '../../language/agent/agent-doc.ts';
import { mergeOptions } from '../../language/agent/agent-options.ts';
import { type Diagnostic, hasErrors } from '../../language/findings/diagnostic.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import { noSchemaFiles, type SchemaFile, type SchemaFiles } from '../../language/flow/schema-files.ts';
import { packDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type {
  AgentCapabilities,
  AgentRequest,
  AgentResume,
  DryMode,
  InputReuse,
} from '../../runtime/agent/agent-request.ts';
import type { AgentPreview } from '../../runtime/agent/preview-agent.ts';
import type { AgentOrigin, AgentRunEnd } from '../../runtime/agent/run-agent.ts';
import type { AgentLocation, DryRun } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { FlowsCapability } from '../../runtime/kernel/capabilities/flows-capability.ts';
import type { StartedBy } from '../../runtime/kernel/events/run-event.ts';
import { type CancelScope, cancellation } from '../../runtime/kernel/hub/cancel-scope.ts';
import type { Hub } from '../../runtime/kernel/hub/hub.ts';
import type { ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import type { AnswerSource } from '../../runtime/kernel/requests/ask.ts';
import type { FindUnseen } from './unseen-texts.ts';

export interface AgentSource {
  /** @throws EngineError `agent.not-found` | `pack.not-found` */
  readonly findAgent: (name: string, folder: string) => Promise<AgentLocation>;
  /**
   * Reads an agent; with `real`, only at the resolved path that was checked earlier.
   * @throws EngineError `files.*`
   */
  readonly readAgentText: (place: AgentLocation, real?: string) => Promise<string>;
  /** Reads the schema files named by an agent. */
  readonly readAgentSchemas: (place: AgentLocation, names: readonly string[]) => Promise<SchemaFiles>;
  /** Returns the options of the config files, weakest first. @throws EngineError `config.invalid` */
  readonly readOptionLayers: () => Promise<readonly AgentOptions[]>;
}

/** An agent that can be run. */
export interface LoadedAgent {
  readonly place: AgentLocation;
  /** The agent as stored in the history: its text and the schema file it names. */
  readonly definition: string;
  readonly doc: AgentDoc;
  /** Merged options from the config files. */
  readonly baseOptions: AgentOptions;
}

interface AgentName {
  /** A path or a pack reference. */
  readonly agent: string;
  /** Absolute base of a relative path. */
  readonly folder: string;
  /** The unsaved definition; if absent, the file is read. */
  readonly text?: string | undefined;
  /** The definition stored in the history of a run that resumes; takes precedence over `text`. */
  readonly kept?: string | undefined;
  /** Returns the path to read, with symbolic links resolved. Throws if the agent may not be read. */
  readonly admit?: ((place: AgentLocation) => Promise<string>) | undefined;
}

/**
 * Finds, reads and validates an agent.
 * @throws EngineError `agent.not-found` | `pack.not-found` | `agent.invalid` with the diagnostics as `details`, and
 * errors of `admit` and reading
 */
export async function loadAgent(
  { agent, folder, text: given, kept, admit }: AgentName,
  source: AgentSource,
): Promise<LoadedAgent> {
  const place = await source.findAgent(agent, folder);
  const real = await admit?.(place);
  const former = kept === undefined ? undefined : unpackDefinition(kept);
  const text = former?.text ?? given ?? (await source.readAgentText(place, real));
  const { parseAgent } = await import('../../language/agent/parse-agent.ts');
  const { doc, diagnostics } = parseAgent(text);
  if (doc === null || hasErrors(diagnostics)) throw invalidAgent(place, diagnostics);
  const baseOptions = mergeOptions(await source.readOptionLayers());
  const { outputSchema } = doc;
  if (outputSchema === undefined || 'schema' in outputSchema) {
    return { place, definition: packDefinition({ text, schemas: noSchemaFiles }), doc, baseOptions };
  }
  const schemas = former?.schemas ?? (await source.readAgentSchemas(place, [outputSchema.file]));
  const file = schemas.get(outputSchema.file);
  if (file === undefined || !('schema' in file)) throw invalidAgent(place, [badSchemaFile(outputSchema, file)]);
  return { place, definition: packDefinition({ text, schemas }), doc: { ...doc, outputSchema: file }, baseOptions };
}

/** Creates the error for a schema file named by an agent. */
export function badSchemaFile(
  { file, range }: Extract<OutputSchema, { file: string }>,
  found: SchemaFile | undefined,
): Diagnostic {
  const problem = found !== undefined && 'problem' in found ? found.problem : undefined;
  const message = problem ?? `The schema file ${JSON.stringify(file)} was not read.`;
  return { code: 'agent.bad-option', severity: 'error', message, range };
}

function invalidAgent({ shownPath }: AgentLocation, diagnostics: readonly Diagnostic[]): EngineError {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const where = first === undefined ? shownPath : `${shownPath}:${first.range.line}`;
  return new EngineError({
    code: 'agent.invalid',
    message: `${where}: ${first?.message ?? 'the file is not an agent'}`,
    details: { diagnostics },
    ...(first === undefined ? {} : { line: first.range.line }),
  });
}

/** Dependencies of agent runs. */
export interface AgentRunsOptions extends AgentSource {
  readonly clock: Clock;
  readonly capabilities: AgentCapabilities;
  /** The part of `CTX` that is the same for all runs of the engine. */
  readonly scriptContext: JsonMap;
  /** Timeout of each script in milliseconds; null for no limit. */
  readonly scriptTimeoutMs: number | null;
  /** Returns the secrets available to scripts of an agent. @param file absolute path of the agent */
  readonly openSecrets: (file: string) => ScriptSecrets;
  /** Creates the replacements for effects in a dry run. */
  readonly openDryRun: () => Promise<DryRun>;
  /** Finds texts that no person has reviewed; absent if runs do not write definitions. */
  readonly unseen?: FindUnseen;
  /** Returns the SHA-256 in hexadecimal. */
  readonly contentHash: (text: string) => string;
}

/** The data specific to one run of an agent. */
export interface AgentRunTask {
  readonly runId: RunId;
  readonly inputs: readonly JsonValue[] | null;
  readonly startedBy?: StartedBy | undefined;
  readonly callOptions?: AgentOptions | undefined;
  readonly parentRunId?: RunId;
  readonly parentTaskId?: string | undefined;
  readonly parentStage?: AgentOrigin['parentStage'] | undefined;
  readonly redoOf?: RunId | undefined;
  readonly rerunOf?: RunId | undefined;
  readonly rerunFromNode?: string | undefined;
  readonly rerunUntil?: number | undefined;
  /** Outputs from earlier runs to reuse. */
  readonly reuse?: InputReuse | undefined;
  readonly redoCount: number;
  readonly depth: number;
  readonly dry?: DryMode | undefined;
  /** The caller's dry run, for a run started by a script of a dry run. */
  readonly dryRun?: DryRun | undefined;
  readonly isVerbose?: boolean | undefined;
  /** Key of the call, for a run that a script starts. */
  readonly callKey?: string | undefined;
  /** The point at which an earlier process stopped and from which the run resumes. */
  readonly resume?: AgentResume | undefined;
  /** Provides answers to the inputs' requests; absent if inputs cannot ask. */
  readonly answers?: AnswerSource | undefined;
  /** Runs flows for its models' tools; absent if tools cannot run flows. */
  readonly flows?: FlowsCapability | undefined;
}

/** CPU time limit for a script in a preview, in milliseconds. */
const longestPreviewMs = 10_000;

export class AgentRuns {
  readonly #options: AgentRunsOptions;
  readonly #called = new Map<RunId, CancelScope>();
  /** Definitions, by hash, of waiting child runs that started in this process and will continue with them. */
  readonly #definitions = new Map<string, string>();
  #count = 0;

  constructor(options: AgentRunsOptions) {
    this.#options = options;
  }

  /** The model capability of its agents. */
  get model(): AgentCapabilities['model'] {
    return this.#options.capabilities.model;
  }

  /** Runs the agent on `hub`, the run's event hub. Throws only for a bug. */
  async run(agent: LoadedAgent, task: AgentRunTask, hub: Hub, scope: CancelScope): Promise<AgentRunEnd> {
    const { runId, parentRunId, parentTaskId, parentStage, redoOf, rerunOf, rerunFromNode, rerunUntil, callKey } = task;
    const { startedBy } = task;
    const secrets = this.#options.openSecrets(agent.place.file);
    const own = await this.#openDryRun(task);
    const request = { ...this.#requestOf(agent, task, scope), ...own, secrets };
    // Loaded on demand, because most runs are flows without agents.
    const { runAgentRoot } = await import('../../runtime/agent/run-agent.ts');
    if (parentRunId !== undefined) this.#called.set(runId, scope);
    const definitionHash = this.#options.contentHash(agent.definition);
    try {
      const product = productOfPath(agent.place.shownPath);
      const agentHub = hub.with({ secrets, product, isUnseen: this.#isUnseen(agent) });
      const end = await runAgentRoot(request, agentHub, {
        definitionHash,
        ...(startedBy === undefined ? {} : { startedBy }),
        ...(redoOf === undefined ? {} : { redoOf }),
        ...(rerunOf === undefined ? {} : { rerunOf }),
        ...(rerunFromNode === undefined ? {} : { rerunFromNode }),
        ...(rerunUntil === undefined ? {} : { rerunUntil }),
        ...(parentTaskId === undefined ? {} : { parentTaskId }),
        ...(parentStage === undefined ? {} : { parentStage }),
        ...(callKey === undefined ? {} : { callKey }),
      });
      if (end.event.type === 'run:suspended') this.#definitions.set(definitionHash, agent.definition);
      return secrets.mask(end);
    } finally {
      this.#called.delete(runId);
      await own.dryRun?.close();
    }
  }

  /** Returns the original definition of a waiting run that started here. */
  definitionOf(hash: string): string | undefined {
    return this.#definitions.get(hash);
  }

  /** Cancels a child run and its own child runs. Returns false if it is not active here. */
  cancelCalled(runId: RunId): boolean {
    const scope = this.#called.get(runId);
    scope?.cancel(cancellation());
    return scope !== undefined;
  }

  /**
   * Previews the agent's prompts for one input. Scripts have less time than in a run.
   * @throws EngineError `run.cancelled`
   */
  async preview(
    agent: LoadedAgent,
    task: AgentRunTask,
    { hub, scope, index }: { readonly hub: Hub; readonly scope: CancelScope; readonly index: number },
  ): Promise<AgentPreview> {
    const secrets = this.#options.openSecrets(agent.place.file);
    const own = await this.#openDryRun(task);
    const request = { ...this.#requestOf(agent, task, scope), ...own, secrets, scriptComputeMs: longestPreviewMs };
    const { previewAgent } = await import('../../runtime/agent/preview-agent.ts');
    try {
      const agentHub = hub.with({ secrets, isUnseen: this.#isUnseen(agent) });
      return secrets.mask(await previewAgent(request, agentHub, index));
    } finally {
      await own.dryRun?.close();
    }
  }

  /** Opens a root run's dry run, which its child runs share. */
  async #openDryRun({ dry, dryRun }: AgentRunTask): Promise<{ readonly dryRun?: DryRun }> {
    return dry === 'req' && dryRun === undefined ? { dryRun: await this.#options.openDryRun() } : {};
  }

  #isUnseen({ place, definition }: LoadedAgent): boolean {
    const { unseen } = this.#options;
    return unseen?.(place.file, unpackDefinition(definition).text) !== undefined;
  }

  #requestOf({ doc, place, baseOptions }: LoadedAgent, task: AgentRunTask, scope: CancelScope): AgentRequest {
    const { clock, capabilities, scriptContext, scriptTimeoutMs } = this.#options;
    const {
      runId,
      inputs,
      callOptions,
      parentRunId,
      redoCount,
      depth,
      dry,
      isVerbose,
      resume,
      answers,
      flows,
      dryRun,
      reuse,
    } = task;
    this.#count += 1;
    return {
      ...{ doc, place, baseOptions, runId, inputs, redoCount, depth, scope, clock, capabilities, scriptTimeoutMs },
      context: { ...scriptContext, RUN_NUM: this.#count },
      ...(callOptions === undefined ? {} : { callOptions }),
      ...(parentRunId === undefined ? {} : { parentRunId }),
      ...(dry === undefined ? {} : { dry }),
      ...(dryRun === undefined ? {} : { dryRun }),
      ...(isVerbose === undefined ? {} : { isVerbose }),
      ...(resume === undefined ? {} : { resume }),
      ...(answers === undefined ? {} : { answers }),
      ...(flows === undefined ? {} : { flows }),
      ...(reuse === undefined ? {} : { reuse }),
    };
  }
}
