/**
 * Filters the environment that commands inherit from this program.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** Electron's variables would affect other programs built with it, and secrets are only passed by name. */
const keptBack = /^(?:ELECTRON_|MILLRACE_SECRET_)/i;

/** Returns the environment for a command. */
export function commandEnvironment(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !keptBack.test(name)));
}
