/** An agent file's contract: how it is read from the options, and what a pure agent must not do. */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import type { AgentDoc, PureContract } from './agent-doc.ts';
import { contractOption, type OptionProblem, purposeOption } from './agent-options.ts';
import { modelPurposes } from './model-purpose.ts';

const contractTable = z.object({
  [contractOption]: z.enum(['pure', 'autonomous'], { error: 'must be "pure" or "autonomous"' }).default('autonomous'),
  [purposeOption]: z.exactOptional(z.enum(modelPurposes, { error: `must be one of ${modelPurposes.join(', ')}` })),
});

interface ReadContract {
  /** Absent if the agent is autonomous. */
  readonly pure?: PureContract;
  readonly problems: readonly OptionProblem[];
}

/** Reads the contract from a file's options. */
export function readContract(table: Readonly<Record<string, unknown>>): ReadContract {
  const read = contractTable.safeParse(table);
  if (!read.success) {
    return { problems: read.error.issues.map(({ path, message }) => ({ path: path.map(String), reason: message })) };
  }
  const { contract, purpose } = read.data;
  if (contract === 'autonomous') {
    const reason = 'only has an effect in agents with contract pure: set contract = "pure"';
    return { problems: purpose === undefined ? [] : [{ path: [purposeOption], reason }] };
  }
  const reason = 'is not allowed in an agent with contract pure: remove the option';
  return {
    pure: { purpose: purpose ?? 'INSIGHT' },
    problems: table['tools'] === undefined ? [] : [{ path: ['tools'], reason }],
  };
}

/**
 * @param what the action the agent is about to take, such as `asks a person`
 * @throws EngineError `agent.contract` if its contract is pure
 */
export function refuseIfPure(
  { doc, place }: { readonly doc: AgentDoc; readonly place: { readonly name: string } },
  what: string,
): void {
  if (doc.pure === undefined) return;
  throw new EngineError({
    code: 'agent.contract',
    message: `Agent "${place.name}" ${what}, which an agent with contract pure is not allowed to do: it only receives and returns data.`,
  });
}

/**
 * Creates the error `agent.not-pure`, with suggestions.
 * @param name public name of the agent: its path, or a reference to a pack
 * @param fromTools name of the agent in the manifest of a tool
 */
export function notPure(name: string, fromTools = name): EngineError {
  return new EngineError({
    code: 'agent.not-pure',
    message: `"${name}" is an autonomous agent, which can act by itself, but steps require agents with contract pure. Write contract = "pure" under its "# Options", or create a tool from it, a file tools/NAME.tool.yaml with "run: { agent: ${fromTools} }", and name the tool in a step of type tool.`,
    details: { agent: name },
  });
}
