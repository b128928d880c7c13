/**
 * Creates a user's own policy.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { systemCodeOf, toWriteError } from '../../world/files/file-error.ts';

/** Forbids nothing until a line is uncommented. */
export const personalStarter = `# Your own policy. It applies to every run that you start, in all workspaces on this computer.
# It can only restrict: what it forbids, no workspace can allow. Changes apply at once, also to runs in progress.
# Remove the "# " from a line to use it.

# Ask before these tools are called:
# require_approval: ["mail.*"]

# Never use these tools, models or hosts:
# blocked_tools: [core.http_get]
# blocked_models: ["openai::*"]
# blocked_hosts: ["*.example.org"]

# Forbid whole kinds of effects:
# effects: { command: deny, delete: deny }

# Limits for each run:
# max_steps: 500
# max_tokens_per_run: 200000
# max_cost_usd_per_run: 1

# Refuse requests in which a page, a mail or a tool tries to give instructions to the model:
# prompt_injection: deny
`;

/**
 * Creates the file with comments only, or leaves an existing file unchanged.
 * @returns whether it is new
 * @throws EngineError `files.not-writable`
 */
export async function createPersonalPolicy(path: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, personalStarter, { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'EEXIST') throw toWriteError(thrown, path);
  }
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return false;
  throw new EngineError({
    code: 'files.not-writable',
    message: `${path} is not a file, or a link to a file that is missing. Remove it, then create your policy again.`,
  });
}
