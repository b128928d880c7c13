/**
 * Previews agents: shows their prompts without creating a run in the history.
 */

import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { IdSource, SessionId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { AgentPreview } from '../../runtime/agent/preview-agent.ts';
import { type CancelScope, cancellation, createCancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import { type AgentRuns, type AgentSource, loadAgent } from '../executor/agent-runs.ts';
import type { StartAgent } from '../executor/start-request.ts';

/** A request to preview an agent. */
export interface PreviewAgent extends Pick<StartAgent, 'agent' | 'text' | 'inputs' | 'files' | 'options'> {
  /** Index of the input to show, starting at 0; an index that is too large selects the last input. */
  readonly index: number;
  /** Set if the user did not request the preview. It is then created only in a trusted workspace. */
  readonly isAutomatic?: true;
}

export interface AgentPreviewsOptions extends AgentSource {
  readonly workspace: string;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly sessionId: SessionId;
  /** Returns whether the user trusts the workspace. */
  readonly isTrusted: () => Promise<boolean>;
  /** Returns the matching files as inputs of an agent. @throws EngineError `files.*` */
  readonly listInputFiles: (globs: readonly string[], folder: string) => Promise<readonly JsonValue[]>;
}

/**
 * Timeout for a whole preview in milliseconds. Scripts reach their own CPU time limit much earlier, so the timeout only
 * ends previews that are waiting.
 */
const patienceMs = 300_000;

function tooLong(): EngineError {
  return new EngineError({
    code: 'agent.preview-too-long',
    message: `The preview did not finish within ${patienceMs / 60_000} minutes and was stopped. Start a run to see what the agent is waiting for.`,
  });
}

function notAsked(): EngineError {
  return new EngineError({
    code: 'agent.preview-untrusted',
    message:
      'A preview runs scripts of the agent. It is not updated automatically because you do not trust this workspace. Update it yourself, or trust the workspace.',
  });
}

export class AgentPreviews {
  readonly #runs: AgentRuns;
  readonly #options: AgentPreviewsOptions;
  /** Each agent's active preview. */
  readonly #underWay = new Map<string, CancelScope>();
  /** All previews that have not ended, including stopped ones. */
  readonly #made = new Set<Promise<AgentPreview>>();

  constructor(runs: AgentRuns, options: AgentPreviewsOptions) {
    this.#runs = runs;
    this.#options = options;
  }

  /** @throws EngineError as `AgentEditing.previewAgent` does */
  async preview(request: PreviewAgent): Promise<AgentPreview> {
    if (request.isAutomatic === true && !(await this.#options.isTrusted())) throw notAsked();
    const scope = createCancelScope();
    this.#underWay.get(request.agent)?.cancel(cancellation());
    this.#underWay.set(request.agent, scope);
    let isTooLong = false;
    const endTimer = this.#options.clock.setTimer(() => {
      isTooLong = true;
      scope.cancel(cancellation());
    }, patienceMs);
    const preview = this.#previewIn(scope, request);
    this.#made.add(preview);
    try {
      return await preview;
    } catch (error) {
      throw isTooLong ? tooLong() : error;
    } finally {
      this.#made.delete(preview);
      if (this.#underWay.get(request.agent) === scope) this.#underWay.delete(request.agent);
      scope.close();
      endTimer();
    }
  }

  /** Stops active previews and waits until they have cleaned up. */
  async close(): Promise<void> {
    for (const scope of this.#underWay.values()) scope.cancel(cancellation());
    await Promise.allSettled(this.#made);
  }

  async #previewIn(scope: CancelScope, request: PreviewAgent): Promise<AgentPreview> {
    const { workspace, ids, sessionId } = this.#options;
    const { agent: name, text, options: callOptions, index } = request;
    const agent = await loadAgent({ agent: name, folder: workspace, text }, this.#options);
    const inputs = await this.#inputsOf(request);
    const runId = ids.runId();
    const { hub, close } = createHub({ runId, sessionId });
    try {
      const task = { runId, inputs, callOptions, redoCount: 0, depth: 0, dry: 'req' } as const;
      return await this.#runs.preview(agent, task, { hub, scope, index });
    } finally {
      close();
    }
  }

  async #inputsOf({ inputs, files }: PreviewAgent): Promise<readonly JsonValue[] | null> {
    if (files === undefined) return inputs ?? null;
    const found = await this.#options.listInputFiles(files, this.#options.workspace);
    if (found.length > 0) return found;
    const message = `No file matches ${files.join(', ')}. Enter a file or a glob such as notes/*.md.`;
    throw new EngineError({ code: 'agent.bad-inputs', message });
  }
}
