/**
 * Secrets of runs. Adapters implement this interface and the runner passes it on. Nothing that nodes see contains a
 * secret value.
 */

/** How a secret is encoded where it is inserted: unchanged, inside JSON text, or as part of a URL. */
export type SecretEncoding = 'plain' | 'json' | 'address';

/**
 * The secrets of one run. Nodes see random placeholders; the adapter that sends a request inserts the values in its
 * last step. In output for people, marks replace both placeholders and values.
 */
export interface RunSecrets {
  /** Placeholders by name of the secret. */
  readonly placeholders: ReadonlyMap<string, string>;
  /** Returns the value with marks instead of placeholders and secret values in all of its strings. */
  mask<Value>(value: Value): Value;
  /** Masks a text that arrives in pieces. Holds back what may be the start of a secret. */
  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void };
  /** Returns the names of the secrets with placeholders in the text. */
  namesIn(text: string): readonly string[];
  /** Replaces placeholders in the text with their values. Only for the code that sends the text. */
  fill(text: string, encoding: SecretEncoding): string;
  /**
   * Checks that secrets may be sent to an address.
   * @param url where they would be sent
   * @throws EngineError `secret.host-not-allowed` if one of them may not be sent there
   */
  admit(names: readonly string[], url: URL): void;
}

/** Secrets that the scripts of one run request by name. None is loaded before it is requested. */
export interface ScriptSecrets extends RunSecrets {
  /** Whether the agent is part of a pack, even if it was named by a path. */
  readonly isOfPack: boolean;
  /**
   * Returns the placeholder of a secret.
   * @throws EngineError `secret.missing` | `secret.file-unreadable`
   */
  take(name: string): Promise<string>;
}
