/**
 * Runs the scripts of stages that may ask a person.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { Suspension } from '../kernel/hub/harness.ts';
import { type AgentRun, isDryRequest } from './agent-request.ts';
import { runStageScript, type StageContext, type StageScript } from './agent-stage.ts';
import type { AskDirective } from './ask-directive.ts';
import { type AskingStage, pausedStageState, refuseAsk } from './input-asks.ts';

interface AskingScript<T> extends StageScript {
  readonly stage: AskingStage;
  /** Results of earlier stages, stored for running the stage again. */
  readonly base: JsonMap;
  /** Converts the script's return value to the stage's result. Throws if it is invalid. */
  readonly read: (value: JsonValue) => T;
}

/**
 * Runs the script of a stage that may ask a person.
 * @param keep stores the state needed to continue if the script asks or a child run waits
 * @throws EngineError from the script; `ask.duplicate-key`, `ask.unavailable`; `Suspension` if a child run waits
 */
export async function runAskingScript<T extends { readonly kind: string }>(
  run: AgentRun,
  { base, read, ...script }: AskingScript<T | AskDirective>,
  place: StageContext,
  keep: (result: JsonValue) => void,
): Promise<T | AskDirective> {
  const { stage } = script;
  const { input } = place;
  const rest = (ask?: AskDirective): void => {
    if (input === undefined) return;
    input.rest = { stage, kept: pausedStageState(base, { stage, former: input.rest, ask }) };
    keep(input.rest.kept);
  };
  try {
    const result = read(await runStageScript(run, script, place));
    if (isAsk(result) && input !== undefined && !isDryRequest(run.request)) {
      refuseAsk(result, { run, stage, input });
      rest(result);
    }
    return result;
  } catch (thrown) {
    if (thrown instanceof Suspension) rest();
    throw thrown;
  }
}

function isAsk(result: { readonly kind: string }): result is AskDirective {
  return result.kind === 'ask';
}
