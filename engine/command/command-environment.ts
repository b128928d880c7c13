/**
 * What commands see of the environment of this program, whoever runs them.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** What steers Electron would make other programs that are built with it behave oddly; secrets are given by name, or not at all. */
const keptBack = /^(?:ELECTRON_|MILLRACE_SECRET_)/i;

/** The environment for a command. */
export function commandEnvironment(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !keptBack.test(name)));
}
