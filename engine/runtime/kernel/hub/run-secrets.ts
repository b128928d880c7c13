/** Secrets of runs. Adapters implement this interface, and the runner passes it on. Nodes never see secret values. */

/** How a secret is encoded where it is inserted: unchanged, inside JSON text, or as part of a URL. */
export type SecretEncoding = 'plain' | 'json' | 'address';

/**
 * One run's secrets. Nodes see random placeholders; the adapter that sends a request inserts the values in its last
 * step. In output for people, marks replace both placeholders and values.
 */
export interface RunSecrets {
  /** Placeholders by secret name. */
  readonly placeholders: ReadonlyMap<string, string>;
  /** Returns the value with marks instead of placeholders and secret values in all its strings. */
  mask<Value>(value: Value): Value;
  /** Masks text that arrives in pieces. Holds back text that may be the start of a secret. */
  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void };
  /** Returns the names of the secrets whose placeholders are in the text. */
  namesIn(text: string): readonly string[];
  /** Replaces placeholders in the text with their values. Only for code that sends the text. */
  fill(text: string, encoding: SecretEncoding): string;
  /**
   * Checks that secrets may be sent to an address.
   * @param url where they would be sent
   * @throws EngineError `secret.host-not-allowed` if one of them may not be sent there
   */
  admit(names: readonly string[], url: URL): void;
}

/** Secrets that a run's scripts request by name. A secret is loaded only when requested. */
export interface ScriptSecrets extends RunSecrets {
  /** Whether the agent is part of a pack, even if it was named by a path. */
  readonly isOfPack: boolean;
  /**
   * Returns a secret's placeholder.
   * @throws EngineError `secret.missing` | `secret.file-unreadable`
   */
  take(name: string): Promise<string>;
}
