/**
 * Names of agents that are used as node types.
 */

/** Returns whether a type has the name of an agent: `./path.aip` in the workspace, or `namespace@pack/agent`. */
export function isAgentType(type: string): boolean {
  return /^\.\/.+\.aip$/.test(type) || /^[^@\s]+@[^@\s]+$/.test(type);
}

/** Returns what to do about a missing agent type, based on its name. A card has two lines for the start of it. */
export function missingAgentType(type: string): string {
  if (type.startsWith('./')) {
    return `There is no agent ${type}. Its path starts in the workspace folder, and below "# Options" it needs a table [node].`;
  }
  const [pack = type] = type.split('/');
  return `There is no agent ${type}. Install the pack "${pack}", or look how its agents are called; below "# Options" the agent needs a table [node].`;
}
