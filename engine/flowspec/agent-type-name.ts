/**
 * How agents are named that are node types.
 */

/** Whether a type is named like an agent: `./path.aip` of the workspace, or `namespace@pack/agent`. */
export function isAgentType(type: string): boolean {
  return /^\.\/.+\.aip$/.test(type) || /^[^@\s]+@[^@\s]+$/.test(type);
}

/** What to do about a type that is named like an agent, as far as its name tells. A card has two lines for the beginning of it. */
export function missingAgentType(type: string): string {
  if (type.startsWith('./')) {
    return `There is no agent ${type}. Its path starts in the workspace folder, and below "# Options" it needs a table [node].`;
  }
  const [pack = type] = type.split('/');
  return `There is no agent ${type}. Install the pack "${pack}", or look how its agents are called; below "# Options" the agent needs a table [node].`;
}
