/**
 * What a host program may ask of an engine about agents.
 */
import type { AgentOptions } from '../agent/agent-doc.ts';
import type { DryMode } from '../agent/agent-request.ts';
import type { AgentPreview } from '../agent/preview-agent.ts';
import type { RunId } from '../base/ids.ts';
import type { Diagnostic } from '../flowspec/diagnostic.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { WorkRecord } from '../store/work-store.ts';

/** A run of an agent that is asked for. */
export interface StartAgent {
  /** A file, relative to `folder` or absolute, or a pack reference such as `demo@proof`. */
  readonly agent: string;
  /** Where relative paths and globs start, absolute; absent = the workspace. */
  readonly folder?: string;
  /** The definition as it is on screen; absent = it is read. */
  readonly text?: string;
  /** One item each. Not together with `files`. */
  readonly inputs?: readonly JsonValue[];
  /** Globs; each file that matches is an item. */
  readonly files?: readonly string[];
  /** Come before the settings of the agent file. */
  readonly options?: AgentOptions;
  readonly dry?: DryMode;
  /** Logs what the model is asked and what it answers, as `info`. */
  readonly isVerbose?: boolean;
  /** A pack that is missing may be installed without asking. */
  readonly installsMissing?: boolean;
}

/** Either the run was accepted, or a person has to agree to work that must be done first. */
export type AcceptedAgent = { readonly runId: RunId } | { readonly work: WorkRecord };

/** A preview of an agent that is asked for. */
export interface PreviewAgent extends Pick<StartAgent, 'agent' | 'text' | 'inputs' | 'files' | 'options'> {
  /** The input to show, from 0; the last one for a higher number. */
  readonly index: number;
  /** No person asked for it, so it is only made in a workspace that is trusted. */
  readonly isAutomatic?: true;
}

/** The part of an engine that runs agents. */
export interface AgentEngine {
  /**
   * Finds and checks the agent and queues a run of it. When its pack is missing, nothing is queued: the work to install it
   * is returned, and `confirmWork` does both.
   * @throws EngineError `agent.not-found` | `agent.invalid` with the diagnostics as `details` | `agent.bad-inputs` |
   *   `files.*`
   */
  startAgent(request: StartAgent): Promise<AcceptedAgent>;
  /**
   * Shows what an agent would ask about one of its inputs. Scripts run as in a dry run and change nothing; nobody is asked
   * and nothing is recorded. A second preview of the same agent ends the first.
   * @throws EngineError as `startAgent` does, `pack.not-found` for a missing pack, `agent.bad-inputs` when no file matches;
   *   `run.cancelled` for one that was ended, `agent.preview-too-long` for one that took over 30 seconds,
   *   `agent.preview-untrusted` for an automatic one where the workspace is not trusted; then no script has run
   */
  previewAgent(request: PreviewAgent): Promise<AgentPreview>;
  /**
   * Checks the scripts in the text of an agent file without running them; what `parseAgent` finds is not repeated.
   * @throws EngineError `lua.*` when there is no machine to ask
   */
  checkAgent(text: string): Promise<readonly Diagnostic[]>;
  /** Does the work, then what waited for it. @throws EngineError `work.not-found` | `work.done`, or why it failed */
  confirmWork(workId: string): Promise<AcceptedAgent>;
  /** Ends work that waits for an answer. @throws EngineError `work.not-found` | `work.done` */
  cancelWork(workId: string): Promise<void>;
  /** The next run of a chain of redos; undefined when the run has ended without asking for one, or it was not redone. */
  whenRedone(runId: RunId): Promise<RunId | undefined>;
}
