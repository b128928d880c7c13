/**
 * From an agent's name to what can be run: found, read, checked. Everything is read anew each time, so that a redo takes
 * what has been edited meanwhile.
 */
import type { AgentDoc, AgentOptions } from '../agent/agent-doc.ts';
import { mergeOptions } from '../agent/agent-options.ts';
import { EngineError } from '../base/engine-error.ts';
import { type Diagnostic, hasErrors } from '../flowspec/diagnostic.ts';
import type { AgentPlace } from '../kernel/capabilities.ts';

export interface AgentSourceWorld {
  /** @throws EngineError `agent.not-found` | `pack.not-found` */
  readonly findAgent: (name: string, folder: string) => Promise<AgentPlace>;
  /** @throws EngineError `files.*` */
  readonly readAgentText: (place: AgentPlace) => Promise<string>;
  /** Options of the config files, weakest first. @throws EngineError `config.invalid` */
  readonly readOptionLayers: () => Promise<readonly AgentOptions[]>;
}

/** An agent that can be run. */
export interface LoadedAgent {
  readonly place: AgentPlace;
  readonly text: string;
  readonly doc: AgentDoc;
  /** Of the config files, merged. */
  readonly baseOptions: AgentOptions;
}

export interface AgentName {
  /** A path or a pack reference. */
  readonly agent: string;
  /** Where a relative path starts, absolute. */
  readonly folder: string;
  /** The definition as it is on screen; absent = it is read. */
  readonly text?: string | undefined;
  /** Throws when what was found may not be read. */
  readonly admit?: ((place: AgentPlace) => Promise<void>) | undefined;
}

/**
 * Finds, reads and checks an agent.
 * @throws EngineError `agent.not-found` | `pack.not-found` | `agent.invalid` with the diagnostics as `details`, and what
 *   `admit` and reading throw
 */
export async function loadAgent(
  { agent, folder, text, admit }: AgentName,
  world: AgentSourceWorld,
): Promise<LoadedAgent> {
  const place = await world.findAgent(agent, folder);
  await admit?.(place);
  const source = text ?? (await world.readAgentText(place));
  const { parseAgent } = await import('../agent/parse-agent.ts');
  const { doc, diagnostics } = parseAgent(source);
  if (doc === null || hasErrors(diagnostics)) throw invalidAgent(place, diagnostics);
  return { place, text: source, doc, baseOptions: mergeOptions(await world.readOptionLayers()) };
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
