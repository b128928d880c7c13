/**
 * One run's secrets: their placeholders until they are sent, and their marks for people.
 */
import { randomBytes } from 'node:crypto';
import { secretMark } from '../../language/bindings/secret-bindings.ts';
import type { RunSecrets, ScriptSecrets, SecretEncoding } from '../../runtime/kernel/hub/run-secrets.ts';
import { createMask, type HiddenText, type SecretMask } from './secret-mask.ts';

interface RunSecretsOptions {
  /** Values of the secrets by name. */
  readonly values: ReadonlyMap<string, string>;
  /**
   * Checks the destination of secrets. @throws EngineError `secret.host-not-allowed` if one of them may not be sent
   * there
   */
  readonly admit: (names: readonly string[], url: URL) => void;
  /** Random part of the placeholders; generated if absent. */
  readonly random?: string;
}

const encoders: Readonly<Record<SecretEncoding, (value: string) => string>> = {
  plain: (value) => value,
  json: (value) => JSON.stringify(value).slice(1, -1),
  address: encodeURIComponent,
};

/** Creates a run's secrets, with placeholders that cannot be guessed from outside. */
export function createRunSecrets({ values, admit, random = newRandom() }: RunSecretsOptions): RunSecrets {
  const names = [...values.keys()];
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

function newRandom(): string {
  return randomBytes(16).toString('hex');
}

interface ScriptSecretsOptions extends Pick<RunSecretsOptions, 'admit'>, Pick<ScriptSecrets, 'isOfPack'> {
  /** Returns a secret's value. @throws EngineError `secret.missing` | `secret.file-unreadable` */
  readonly read: (name: string) => Promise<string>;
}

/** Creates the secrets of a run whose scripts request them by name. Each is hidden from the moment it is requested. */
export function createScriptSecrets({ read, admit, isOfPack }: ScriptSecretsOptions): ScriptSecrets {
  const random = newRandom();
  const values = new Map<string, string>();
  let known: RunSecrets | undefined;
  const none: ReadonlyMap<string, string> = new Map();
  return {
    isOfPack,
    get placeholders() {
      return known?.placeholders ?? none;
    },
    async take(name) {
      if (!values.has(name)) {
        const value = await read(name);
        // Two scripts may have requested it at the same time.
        if (!values.has(name)) known = createRunSecrets({ values: values.set(name, value), admit, random });
      }
      return known?.placeholders.get(name) ?? '';
    },
    mask: (value) => (known === undefined ? value : known.mask(value)),
    stream(emit) {
      let by = known;
      let stream = by?.stream(emit);
      return {
        push(piece) {
          if (by !== known) {
            stream?.end();
            by = known;
            stream = by?.stream(emit);
          }
          if (stream === undefined) emit(piece);
          else stream.push(piece);
        },
        end: () => stream?.end(),
      };
    },
    namesIn: (text) => known?.namesIn(text) ?? [],
    fill: (text, encoding) => known?.fill(text, encoding) ?? text,
    admit,
  };
}
