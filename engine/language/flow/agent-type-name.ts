/**
 * Names of agents that are used as node types.
 */

/** Whether a type is an agent name: `./path.aip` in the workspace, or `namespace@pack/agent`. */
export function isAgentType(type: string): boolean {
  return /^\.\/.+\.aip$/.test(type) || /^[^@\s]+@[^@\s]+$/.test(type);
}

/** Returns how to fix a missing agent type, based on its name. A card has two lines for the beginning of this text. */
export function missingAgentType(type: string): string {
  if (type.startsWith('./')) {
    return `Agent ${type} does not exist. The path is relative to the workspace folder, and the agent needs a table [node] under "# Options".`;
  }
  const [pack = type] = type.split('/');
  return `Agent ${type} does not exist. Install the pack "${pack}", or check the name of the agent. The agent needs a table [node] under "# Options".`;
}
