/**
 * The settings files that are written for people to begin with.
 */
import { stringify } from 'smol-toml';
import type { AgentOptions } from '../agent/agent-doc.ts';

/** Our own defaults, as a file that shows them. */
export function defaultConfigText(defaults: AgentOptions): string {
  return `# The defaults of Millrace. This file is written anew with each version: change config-user.toml in the folder above.

${stringify({ options: { ...defaults } })}`;
}

/** A person's own settings: all in comments, so that nothing changes before they do. */
export const userConfigText = `# Your own settings. They hold in all workspaces; this file is never overwritten.

# [options]
# model = "openai::gpt-5.6-luna"
# temperature = 0.7
# input_concurrency = 4

# Short names for models; agents may use them, with -low, -medium or -high behind for how much the model is to think.
# [options.model_aliases]
# best = "anthropic::claude-opus-5"

# A provider of your own. The key stands in the environment or in the vault, never here.
# [providers.local]
# kind = "openai-compatible"
# base_url = "http://127.0.0.1:1234/v1"
# api_key_env = "LOCAL_API_KEY"
`;

/** The settings of a workspace. */
export const workspaceConfigText = `# Settings of this workspace. They come after your own (config-user.toml) and before what an agent says of itself.

# [options]
# model = "mini"
# input_concurrency = 4

# [options.model_aliases]
# best = "anthropic::claude-opus-5"
`;
