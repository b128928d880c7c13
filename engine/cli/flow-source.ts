/**
 * Finds, reads and checks a file named on the command line, and shows its problems.
 */
import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { explainSystemError, shortened } from '../base/system-trouble.ts';
import type { Engine, RunReads } from '../index.ts';
import {
  type Diagnostic,
  EngineError,
  MAX_FLOW_TEXT_LENGTH,
  type RunId,
  renderDiagnostic,
  toErrorRecord,
} from '../isomorphic.ts';
import { readFlowText } from '../world/files/read-flow.ts';
import type { CliContext } from './cli-context.ts';
import { exitCode, usageError } from './exit-code.ts';

export interface CliFlowSource {
  /** Name of the file as typed by the caller, for messages. */
  readonly shown: string;
  /** Absolute path. */
  readonly file: string;
  /** Text with invalid UTF-8 replaced by U+FFFD, which flow validation reports. */
  readonly text: string;
}

/**
 * Reads a flow file. Of a file that is too large, reads only as much as validation needs to reject it.
 * @throws EngineError `cli.usage` if the file does not exist or is not a flow
 */
export async function readFlowSource({ folder }: CliContext, shown: string): Promise<CliFlowSource> {
  const file = path.resolve(folder, shown);
  const stats = statOf(file, shown);
  if (stats === undefined) {
    throw usageError(
      `File ${shown} does not exist. Specify the path of a flow file, for example review.flow.yaml, or of an agent file (*.aip).`,
    );
  }
  if (!stats.isFile()) throw usageError(`${shown} is not a file. Specify the path of a flow file.`);
  try {
    return { shown, file, text: await readFlowText(file, { shownPath: shown, maxLength: MAX_FLOW_TEXT_LENGTH }) };
  } catch (error) {
    throw usageError(toErrorRecord(error).message);
  }
}

/** @throws EngineError `cli.usage` for a path that cannot be accessed */
function statOf(file: string, shown: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw usageError(
      `${shortened(shown)} cannot be read. ${explainSystemError(error) ?? toErrorRecord(error).message}`,
    );
  }
}

/**
 * Returns the definition's path as stored in the run: relative to the workspace with `/`, or absolute if it is outside.
 */
export function sourcePathOf(workspace: string, file: string): string {
  const relative = path.relative(workspace, file);
  const isOutside = relative.startsWith('..') || path.isAbsolute(relative);
  return isOutside ? file : relative.split(path.sep).join('/');
}

/** Prints problems to stderr, one per line: `file:line:col severity code message`. */
export function showProblems({ terminal }: CliContext, shown: string, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) terminal.err(renderDiagnostic(shown, diagnostic).replaceAll(/\s*\n\s*/g, ' '));
}

/**
 * Calls `use`, which runs an earlier run's file again. If the file has problems, prints them.
 * @returns the exit code of `use`, or that of a rejected file
 * @throws other errors of `use`, or EngineError `run.not-found`
 */
export async function showingProblems(
  context: CliContext,
  { engine, runId }: { engine: Pick<Engine, 'workspace'> & Pick<RunReads, 'getRun'>; runId: RunId },
  use: () => Promise<number>,
): Promise<number> {
  const { sourcePath } = await engine.getRun(runId);
  try {
    return await use();
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'flow.invalid') throw error;
    const shown = path.relative(context.folder, path.resolve(engine.workspace, sourcePath));
    showProblems(context, shown, error.details as readonly Diagnostic[]);
    return exitCode.refused;
  }
}
