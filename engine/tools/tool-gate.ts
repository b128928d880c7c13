/**
 * The gate before each call of a tool.
 */
import { EngineError } from '../base/engine-error.ts';
import type { EffectVerdict, GovernanceCapability, RunGate } from '../kernel/effect.ts';
import type { ToolScope } from '../kernel/tool-capability.ts';
import { failureOf, type ToolTrouble } from './tool-failures.ts';
import type { RunnableTool } from './tool-source.ts';

/** The gate of one call; what only reads may pass where no effect is allowed. Undefined where no rules are set. */
export function gateOf(
  tool: RunnableTool,
  { hub, isDry }: ToolScope,
  governance: GovernanceCapability | undefined,
): RunGate | undefined {
  return governance?.open({ hub, isDry: isDry && tool.onlyReads !== true });
}

interface Passing {
  readonly gate: RunGate | undefined;
  readonly signal: AbortSignal;
  /** Somebody can be asked. */
  readonly mayAsk: boolean;
}

/** Puts a call before the gate, and that of the tool which it stands for. `asks`: the first rule that wants a person to agree. */
export async function passGate(
  { description, standsFor }: RunnableTool,
  { gate, signal, mayAsk }: Passing,
): Promise<{ readonly refused?: ToolTrouble; readonly asks?: EffectVerdict }> {
  if (gate === undefined) return {};
  const names = [description.name, ...(standsFor === undefined ? [] : [standsFor.name])];
  try {
    let asks: EffectVerdict | undefined;
    for (const target of names) {
      const verdict = await gate.pass({ effect: 'tool', target, ...(mayAsk ? { mayAsk } : {}) }, signal);
      if (verdict.decision === 'ask') asks ??= verdict;
    }
    return asks === undefined ? {} : { asks };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!EngineError.is(thrown)) throw thrown;
    return { refused: failureOf(thrown) };
  }
}
