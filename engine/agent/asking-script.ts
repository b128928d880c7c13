/**
 * Scripts of the stages that may ask.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { Suspension } from '../kernel/harness.ts';
import { type AgentRun, isDryRequest } from './agent-request.ts';
import { runStageScript, type StageContext, type StageScript } from './agent-stage.ts';
import type { AskDirective } from './ask-directive.ts';
import { type AskingStage, keptBy, refuseAsk } from './input-asks.ts';

interface AskingScript<T> extends StageScript {
  readonly stage: AskingStage;
  /** What the stages before it gave, for when it runs again. */
  readonly base: JsonMap;
  /** Makes of what the script gave what the input goes on with; throws what is wrong with it. */
  readonly read: (value: JsonValue) => T;
}

/**
 * Runs the script of a stage that may ask.
 * @param keep has what it goes on with kept in the log, when it asks or when a run that it called waits
 * @throws EngineError as the script does; `ask.duplicate-key`, `ask.unavailable`; `Suspension` when a run that it called waits
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
    input.rest = { stage, kept: keptBy(base, { stage, former: input.rest, ask }) };
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
