/**
 * Filters the environment that commands inherit from this program.
 */

type CommandVariables = Readonly<Record<string, string | undefined>>;

/** Electron's variables would affect other programs built with it, and secrets are passed only by name. */
const keptBack = /^(?:ELECTRON_|MILLRACE_SECRET_)/i;

/** Returns the environment for a command. */
export function commandEnvironment(environment: CommandVariables): CommandVariables {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !keptBack.test(name)));
}
