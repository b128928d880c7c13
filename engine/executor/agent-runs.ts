/**
 * Runs of agents, top-level ones and those that others call: one way for all to get what an agent needs.
 */
import type { AgentDoc, AgentOptions, OutputSchema } from '../agent/agent-doc.ts';
import { mergeOptions } from '../agent/agent-options.ts';
import type { AgentCapabilities, AgentRequest, AgentResume, DryMode, InputReuse } from '../agent/agent-request.ts';
import type { AgentPreview } from '../agent/preview-agent.ts';
import type { AgentOrigin, AgentRunEnd } from '../agent/run-agent.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { type Diagnostic, hasErrors } from '../flowspec/diagnostic.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { productOfPath } from '../flowspec/product-path.ts';
import { noSchemaFiles, type SchemaFile, type SchemaFiles } from '../flowspec/schema-files.ts';
import { packDefinition, unpackDefinition } from '../flowspec/stored-definition.ts';
import type { AnswerSource } from '../kernel/ask.ts';
import { type CancelScope, cancellation } from '../kernel/cancel-scope.ts';
import type { AgentPlace, DryRun } from '../kernel/capabilities.ts';
import type { FlowsCapability } from '../kernel/flows-capability.ts';
import type { Hub } from '../kernel/hub.ts';
import type { ScriptSecrets } from '../kernel/run-secrets.ts';
import type { FindUnseen } from './unseen-texts.ts';

export interface AgentSource {
  /** @throws EngineError `agent.not-found` | `pack.not-found` */
  readonly findAgent: (name: string, folder: string) => Promise<AgentPlace>;
  /**
   * Reads an agent; at its real path alone, when somebody looked at that before.
   * @throws EngineError `files.*`
   */
  readonly readAgentText: (place: AgentPlace, real?: string) => Promise<string>;
  /** The schema files that an agent names. */
  readonly readAgentSchemas: (place: AgentPlace, names: readonly string[]) => Promise<SchemaFiles>;
  /** Options of the config files, weakest first. @throws EngineError `config.invalid` */
  readonly readOptionLayers: () => Promise<readonly AgentOptions[]>;
}

/** An agent that can be run. */
export interface LoadedAgent {
  readonly place: AgentPlace;
  /** As the history keeps it: its text, with the schema of the file that it names. */
  readonly definition: string;
  readonly doc: AgentDoc;
  /** Of the config files, merged. */
  readonly baseOptions: AgentOptions;
}

interface AgentName {
  /** A path or a pack reference. */
  readonly agent: string;
  /** Where a relative path starts, absolute. */
  readonly folder: string;
  /** The definition as it is on screen; absent = it is read. */
  readonly text?: string | undefined;
  /** The definition as the history keeps it, of a run that goes on; it comes before `text`. */
  readonly kept?: string | undefined;
  /** Gives the real path that may be read; throws when what was found may not be. */
  readonly admit?: ((place: AgentPlace) => Promise<string>) | undefined;
}

/**
 * Finds, reads and checks an agent.
 * @throws EngineError `agent.not-found` | `pack.not-found` | `agent.invalid` with the diagnostics as `details`, and what
 *   `admit` and reading throw
 */
export async function loadAgent(
  { agent, folder, text: given, kept, admit }: AgentName,
  source: AgentSource,
): Promise<LoadedAgent> {
  const place = await source.findAgent(agent, folder);
  const real = await admit?.(place);
  const former = kept === undefined ? undefined : unpackDefinition(kept);
  const text = former?.text ?? given ?? (await source.readAgentText(place, real));
  const { parseAgent } = await import('../agent/parse-agent.ts');
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

/** What is wrong with the schema file that an agent names. */
export function badSchemaFile(
  { file, range }: Extract<OutputSchema, { file: string }>,
  found: SchemaFile | undefined,
): Diagnostic {
  const problem = found !== undefined && 'problem' in found ? found.problem : undefined;
  const message = problem ?? `The schema file ${JSON.stringify(file)} was not read.`;
  return { code: 'agent.bad-option', severity: 'error', message, range };
}

function invalidAgent({ shownPath }: AgentPlace, diagnostics: readonly Diagnostic[]): EngineError {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const where = first === undefined ? shownPath : `${shownPath}:${first.range.line}`;
  return new EngineError({
    code: 'agent.invalid',
    message: `${where}: ${first?.message ?? 'the file is no agent'}`,
    details: { diagnostics },
    ...(first === undefined ? {} : { line: first.range.line }),
  });
}

/** What agents work with. */
export interface AgentRunsOptions extends AgentSource {
  readonly clock: Clock;
  readonly capabilities: AgentCapabilities;
  /** `CTX` as far as it is the same for all runs of the engine. */
  readonly scriptContext: JsonMap;
  /** Milliseconds for each script; null = no limit. */
  readonly scriptTimeoutMs: number | null;
  /** What scripts of an agent may ask for. @param file of the agent, absolute */
  readonly openSecrets: (file: string) => ScriptSecrets;
  /** Opens what a dry run has in place of effects. */
  readonly openDryRun: () => Promise<DryRun>;
  /** Knows which texts no person has seen; absent = runs write no definitions. */
  readonly unseen?: FindUnseen;
  /** SHA-256 in hex. */
  readonly contentHash: (text: string) => string;
}

/** One run, told apart from others of the same agent. */
export interface AgentRunTask {
  readonly runId: RunId;
  readonly inputs: readonly JsonValue[] | null;
  readonly callOptions?: AgentOptions | undefined;
  readonly parentRunId?: RunId;
  readonly parentTaskId?: string | undefined;
  readonly parentStage?: AgentOrigin['parentStage'] | undefined;
  readonly redoOf?: RunId | undefined;
  readonly rerunOf?: RunId | undefined;
  readonly rerunFromNode?: string | undefined;
  /** Outputs of earlier runs to take over. */
  readonly reuse?: InputReuse | undefined;
  readonly redoCount: number;
  readonly depth: number;
  readonly dry?: DryMode | undefined;
  /** That of the caller, of a run that a script of a dry run called. */
  readonly dryRun?: DryRun | undefined;
  readonly isVerbose?: boolean | undefined;
  /** Of a run that a script called. */
  readonly callKey?: string | undefined;
  /** Where an earlier process stopped; the run goes on from there. */
  readonly resume?: AgentResume | undefined;
  /** Answers to what its inputs ask; absent = they cannot ask. */
  readonly answers?: AnswerSource | undefined;
  /** What tools of its models may run; absent = no flows. */
  readonly flows?: FlowsCapability | undefined;
}

/** Milliseconds that a script may compute for a preview. */
const longestPreviewMs = 10_000;

export class AgentRuns {
  readonly #options: AgentRunsOptions;
  readonly #called = new Map<RunId, CancelScope>();
  /** By hash: what called runs that wait for people have begun with, and go on with in this process. */
  readonly #definitions = new Map<string, string>();
  #count = 0;

  constructor(options: AgentRunsOptions) {
    this.#options = options;
  }

  /** What its agents ask. */
  get model(): AgentCapabilities['model'] {
    return this.#options.capabilities.model;
  }

  /** Runs the agent on `hub`, which is the run's own. Throws only for a bug. */
  async run(agent: LoadedAgent, task: AgentRunTask, hub: Hub, scope: CancelScope): Promise<AgentRunEnd> {
    const { runId, parentRunId, parentTaskId, parentStage, redoOf, rerunOf, rerunFromNode, callKey } = task;
    const secrets = this.#options.openSecrets(agent.place.file);
    const own = await this.#openDryRun(task);
    const request = { ...this.#requestOf(agent, task, scope), ...own, secrets };
    // Loaded here, because most runs are of flows without an agent.
    const { runAgentRoot } = await import('../agent/run-agent.ts');
    if (parentRunId !== undefined) this.#called.set(runId, scope);
    const definitionHash = this.#options.contentHash(agent.definition);
    try {
      const product = productOfPath(agent.place.shownPath);
      const agentHub = hub.with({ secrets, product, isUnseen: this.#isUnseen(agent) });
      const end = await runAgentRoot(request, agentHub, {
        definitionHash,
        ...(redoOf === undefined ? {} : { redoOf }),
        ...(rerunOf === undefined ? {} : { rerunOf }),
        ...(rerunFromNode === undefined ? {} : { rerunFromNode }),
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

  /** What a run that waits has begun with, if it has begun here. */
  definitionOf(hash: string): string | undefined {
    return this.#definitions.get(hash);
  }

  /** Asks a run that another one has called to stop, with all that it called itself. False when it does not go on here. */
  cancelCalled(runId: RunId): boolean {
    const scope = this.#called.get(runId);
    scope?.cancel(cancellation());
    return scope !== undefined;
  }

  /**
   * Shows what the agent would ask about one input; scripts get less time than in a run.
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
    const { previewAgent } = await import('../agent/preview-agent.ts');
    try {
      const agentHub = hub.with({ secrets, isUnseen: this.#isUnseen(agent) });
      return secrets.mask(await previewAgent(request, agentHub, index));
    } finally {
      await own.dryRun?.close();
    }
  }

  /** For the run at the top of a dry run; those that it calls have the same. */
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
