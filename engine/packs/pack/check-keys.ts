/**
 * Checks which model provider keys are set in the environment.
 */

/** Key variables of common model providers, as named in pack documentation. */
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
  /** Whether it is set to a non-blank value. The value itself is never returned. */
  readonly isSet: boolean;
}

/**
 * Returns the known variables, followed by those in settings.
 * @param named variables in `api_key_env` of the settings; may include known ones
 */
export function checkKeys(
  env: Readonly<Record<string, string | undefined>>,
  named: readonly string[] = [],
): readonly KeyState[] {
  const variables = [...new Set<string>([...keyVariables, ...named])];
  return variables.map((variable) => ({ variable, isSet: (env[variable] ?? '').trim() !== '' }));
}
