import type { z } from 'zod';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { itemFailed } from '../loop-failure.ts';
import { controlLoopType } from './control-loop-type.ts';

export const controlLoopNode = defineNodeType(controlLoopType, {
  hosting: 'workflow',
  capabilities: [],
  runsBody: true,
  run: async ({ nodeId, input, signal, body }): Promise<z.output<typeof controlLoopType.outputSchema>> => {
    if (body === undefined) throw new TypeError('control.loop has no body to run');
    const iterations: { index: number; outputs: Record<string, JsonValue> }[] = [];
    let last: Record<string, JsonValue> | null = null;
    for (let index = 0; index < input.maxIterations; index++) {
      signal.throwIfAborted();
      // `previous` has no value in the first iteration, even if this loop is inside another one.
      const pass = await body.run({ index, roots: { previous: last, loop: { index } }, signal });
      if (pass.error !== undefined) throw itemFailed({ what: 'Pass', index, loop: nodeId }, pass.error);
      last = pass.outputs;
      iterations.push({ index, outputs: last });
      const isReached = input.until !== undefined && pass.holds(input.until);
      const isOver = input.while !== undefined && !pass.holds(input.while);
      if (isReached || isOver) return { iterations, last, reason: 'condition' };
    }
    if (input.onLimit === 'fail') throw limitReached(input.maxIterations);
    return { iterations, last: last ?? {}, reason: 'limit' };
  },
});

function limitReached(passes: number): EngineError {
  const count = passes === 1 ? '1 iteration' : `${passes} iterations`;
  return new EngineError({
    code: 'loop.limit',
    message: `The loop did not meet its condition in ${count}. Check the outputs of the iterations, raise maxIterations, or set onLimit: finish to complete with the results so far.`,
    details: { maxIterations: passes },
  });
}
