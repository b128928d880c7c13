/**
 * Secrets as runs have them: adapters implement this, the runner hands it on, and nothing that nodes see holds a value.
 */

/** How a secret is written where it is put in: as it is, inside a JSON text, or as a part of an address. */
export type SecretEncoding = 'plain' | 'json' | 'address';

/**
 * The secrets of one run. Nodes see placeholders, which are as good as random; an adapter that sends puts the values in at the last
 * step, and what goes out to people has marks instead of both.
 */
export interface RunSecrets {
  /** By name. */
  readonly placeholders: ReadonlyMap<string, string>;
  /** A value whose texts have marks instead of placeholders and values. */
  mask<Value>(value: Value): Value;
  /** The same for a text that comes in pieces; what may be the beginning of a secret is held back. */
  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void };
  /** The secrets whose placeholders stand in a text. */
  namesIn(text: string): readonly string[];
  /** The text with the values of its placeholders. Only for what sends it. */
  fill(text: string, encoding: SecretEncoding): string;
  /**
   * @param url where they would be sent
   * @throws EngineError `secret.host-not-allowed` when one of them may not go there
   */
  admit(names: readonly string[], url: URL): void;
}

/** Secrets that the scripts of one run ask for by name; nothing is known of one before. */
export interface ScriptSecrets extends RunSecrets {
  /** The agent is part of a pack, also where it was named by a path. */
  readonly isOfPack: boolean;
  /**
   * What stands for a secret until it is sent.
   * @throws EngineError `secret.missing` | `secret.file-unreadable`
   */
  take(name: string): Promise<string>;
}
