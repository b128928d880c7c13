/**
 * Creates errors that reject a request before anything is recorded.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';

/** Creates the error for an invalid definition; `details` contains all diagnostics. */
export function invalidFlow(path: string, diagnostics: readonly Diagnostic[]): EngineError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const place = first === undefined ? '' : ` Line ${first.range.line}: ${first.message}`;
  const count = errors.length === 1 ? 'a problem' : `${errors.length} problems`;
  return new EngineError({
    code: 'flow.invalid',
    message: `${path} has ${count} and cannot run.${place}`,
    ...(first === undefined ? {} : { line: first.range.line }),
    details: diagnostics,
  });
}

/** Creates the error for a flow that differs from the one that was confirmed. */
export function flowChanged({ path }: { readonly path: string }): EngineError {
  const message = `${path}, or a file that it references, has changed and must be confirmed.`;
  return new EngineError({ code: 'flow.changed', message });
}

/** Creates the error for a run that is not in the history. */
export function runNotFound(run: RunId | `#${number}`): EngineError {
  return new EngineError({ code: 'run.not-found', message: `Run ${run} is not in this workspace's history` });
}

/** Creates the error for running a single node that needs outputs that no run has. */
export function missingOutputs(nodeId: string, missing: readonly string[]): EngineError {
  const names = missing.map((id) => `"${id}"`).join(', ');
  const [what, pin] = missing.length === 1 ? ['it gives', 'an output'] : ['they give', 'outputs'];
  return new EngineError({
    code: 'run.missing-outputs',
    message: `"${nodeId}" uses ${names}, and no run of this flow has recorded what ${what}. Run to "${nodeId}" instead, or pin ${pin}.`,
    details: { nodeId, missing },
    nodeId,
  });
}

/** Creates the error for a value that is not in the history. */
export function valueNotFound(hash: string): EngineError {
  return new EngineError({
    code: 'value.not-found',
    message: `Value ${hash} is not in this workspace's history`,
  });
}

/**
 * Returns undefined if the run's state does not allow the operation, for example because another process acted first.
 */
export function unlessInvalid<T>(work: () => Promise<T>): Promise<T | undefined>;
export function unlessInvalid<T>(work: () => T): T | undefined;
export function unlessInvalid(work: () => unknown): unknown {
  const tolerated = (error: unknown): undefined => {
    if (EngineError.is(error) && error.code === 'run.invalid-state') return undefined;
    throw error;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(tolerated) : result;
  } catch (error) {
    return tolerated(error);
  }
}
