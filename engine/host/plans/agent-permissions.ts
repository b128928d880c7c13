/**
 * Determines what an agent's scripts will access, as far as this is visible in their text before they run.
 */
import type { AgentDoc } from '../../language/agent/agent-doc.ts';
import type { AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { Reach, ScriptReach } from '../../runtime/kernel/requests/permission.ts';

/** Functions that require trust. Scripts of a pack can never access secrets. */
const calls: readonly { readonly name: string; readonly does: ScriptReach; readonly inPacks: boolean }[] = [
  { name: 'aip.cmd', does: 'command', inPacks: true },
  { name: 'aip.git.restore', does: 'command', inPacks: true },
  { name: 'aip.web', does: 'web', inPacks: true },
  { name: 'aip.secret', does: 'secret', inPacks: false },
];

/**
 * Returns what an agent's scripts will access; undefined if they call no such function. Calls under other names are
 * detected only when they happen.
 */
export function scriptsReach(
  { shownPath, pack }: AgentLocation,
  { scripts }: Pick<AgentDoc, 'scripts'>,
): Reach | undefined {
  const code = Object.values(scripts)
    .map((script) => withoutComments(script.code))
    .join('\n');
  const found = calls.filter(({ name, inPacks }) => {
    const isCalled = new RegExp(`\\b${name.replaceAll('.', '\\s*\\.\\s*')}\\b`).test(code);
    return isCalled && (inPacks || pack === undefined);
  });
  if (found.length === 0) return undefined;
  const names = found.map(({ name }) => name).join(', ');
  return {
    effect: 'script',
    does: found.map(({ does }) => does),
    target: `scripts of ${shownPath} that call ${names}`,
  };
}

function withoutComments(lua: string): string {
  return lua.replace(/--\[(=*)\[[\s\S]*?\]\1\]/g, ' ').replace(/--.*$/gm, '');
}
