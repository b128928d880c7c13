/**
 * Runs agents that consist of a prompt and some scripts.
 */
import { createFakeCapabilities, type FakeWorld } from './fake-capabilities.ts';
import { createFakeScripts, type ScriptBody } from './fake-scripts.ts';
import { type AgentRunOptions, runAgentText, scriptSection } from './run-agent-file.ts';

export interface PromptOptions extends AgentRunOptions {
  readonly world?: FakeWorld;
  /** Scripts by heading. */
  readonly bodies?: Readonly<Record<string, ScriptBody>>;
  readonly attachments?: Parameters<typeof createFakeScripts>[1];
}

/** Returns the results of the run, the model requests, and the scripts that ran. */
export async function runPrompt(prompts: string, { world, bodies = {}, attachments, ...options }: PromptOptions = {}) {
  const { capabilities, asked } = createFakeCapabilities(world);
  const scripts = createFakeScripts(bodies, attachments);
  const text = Object.keys(bodies).map((heading) => scriptSection(heading, heading));
  const run = await runAgentText([...text, prompts].join('\n'), { scripts, capabilities, ...options });
  return { ...run, asked, ran: scripts.ran };
}
