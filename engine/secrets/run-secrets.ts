/**
 * The secrets of one run: what stands for them until they are sent, and what people see of them.
 */
import { randomBytes } from 'node:crypto';
import { secretMark } from '../flowspec/secret-bindings.ts';
import type { RunSecrets, SecretEncoding } from '../kernel/run-secrets.ts';
import { createMask, type HiddenText, type SecretMask } from './secret-mask.ts';

interface RunSecretsOptions {
  /** By name. */
  readonly values: ReadonlyMap<string, string>;
  /** @throws EngineError `secret.host-not-allowed` when one of the secrets may not go there */
  readonly admit: (names: readonly string[], host: string) => void;
}

const encoders: Readonly<Record<SecretEncoding, (value: string) => string>> = {
  plain: (value) => value,
  json: (value) => JSON.stringify(value).slice(1, -1),
  address: encodeURIComponent,
};

/** Makes the secrets of a run, under placeholders that nobody outside of it can know. */
export function createRunSecrets({ values, admit }: RunSecretsOptions): RunSecrets {
  const names = [...values.keys()];
  const random = randomBytes(16).toString('hex');
  const placeholders = new Map(names.map((name, index) => [name, `secret-${random}-${index}-`]));
  const pattern = new RegExp(`secret-${random}-(\\d+)-`, 'gi');
  const marked = (texts: ReadonlyMap<string, string>): HiddenText[] =>
    names.map((name) => ({ value: texts.get(name) ?? '', mark: secretMark(name) }));
  const mask: SecretMask = createMask(marked(values), {
    beginning: `secret-${random}-`,
    texts: marked(placeholders),
  });
  return {
    placeholders,
    mask: (value) => mask.value(value),
    stream: (emit) => mask.stream(emit),
    namesIn: (text) => [...new Set(Array.from(text.matchAll(pattern), ([, index]) => names[Number(index)] ?? ''))],
    fill: (text, encoding) =>
      text.replace(pattern, (_placeholder, index: string) =>
        encoders[encoding](values.get(names[Number(index)] ?? '') ?? ''),
      ),
    admit,
  };
}
