/**
 * How agents are named that are node types.
 */

/** Whether a type is named like an agent: `./path.aip` of the workspace, or `namespace@pack/agent`. */
export function isAgentType(type: string): boolean {
  return /^\.\/.+\.aip$/.test(type) || /^[^@\s]+@[^@\s]+$/.test(type);
}

/** What to do about a type that is named like an agent, as far as its name tells. */
export function missingAgentType(type: string): string {
  if (type.startsWith('./')) {
    return `There is no agent "${type}" in this workspace that is a node type. Its path starts in the workspace folder, and below "# Options" it needs a table [node].`;
  }
  const pack = type.slice(0, type.indexOf('/') === -1 ? undefined : type.indexOf('/'));
  return `There is no agent "${type}" that is a node type. Install the pack "${pack}", or see how its agents are called; below "# Options" the agent needs a table [node].`;
}
