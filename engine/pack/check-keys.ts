/**
 * Which keys of model providers the environment has.
 */

/** Variables that agents' models are known to need, as packs' documentation names them. */
const keyVariables = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'DEEPSEEK_API_KEY',
  'MIMO_API_KEY',
  'ZAI_API_KEY',
  'KIMI_API_KEY',
  'FIREWORKS_API_KEY',
  'GROQ_API_KEY',
  'TOGETHER_API_KEY',
  'NEBIUS_API_KEY',
  'XAI_API_KEY',
  'COHERE_API_KEY',
] as const;

export interface KeyState {
  /** Name of the environment variable. */
  readonly variable: string;
  /** It is set to more than blanks. Its value is told to nobody. */
  readonly isSet: boolean;
}

/**
 * The known variables, then those that settings name.
 * @param named by `api_key_env` of the settings; known ones may be among them
 */
export function checkKeys(
  env: Readonly<Record<string, string | undefined>>,
  named: readonly string[] = [],
): readonly KeyState[] {
  const variables = [...new Set<string>([...keyVariables, ...named])];
  return variables.map((variable) => ({ variable, isSet: (env[variable] ?? '').trim() !== '' }));
}
