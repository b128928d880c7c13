/**
 * The whole check of an agent file for somebody who has no engine.
 */
import { checkAgent } from '../agent/check-agent.ts';
import { parseAgent } from '../agent/parse-agent.ts';
import type { Diagnostic } from '../flowspec/diagnostic.ts';
import { createLuaRuntime } from '../lua/lua-runtime.ts';
import { probeScripts } from '../lua/probe-scripts.ts';
import { createTemplateRenderer } from '../template/template-renderer.ts';

/** What is wrong with the text of an agent file, its scripts and prompts included, in the order of the file. */
export async function checkAgentFile(text: string): Promise<readonly Diagnostic[]> {
  const lua = createLuaRuntime();
  try {
    const inside = await checkAgent(text, {
      scripts: (scripts, names) => probeScripts(lua, scripts, names),
      template: createTemplateRenderer('agent').problemOf,
    });
    const found = [...parseAgent(text).diagnostics, ...inside];
    return found.sort((left, right) => left.range.line - right.range.line);
  } finally {
    await lua.close();
  }
}
