/**
 * Keeps the keys of models out of what flows and agents get to see, and with that out of events, logs and the history: a server
 * may quote the key that it was sent, also in an answer that is fine.
 */
import { EngineError } from '../base/engine-error.ts';
import { secretForms, secretMark } from '../cassette/redactor.ts';
import type { ModelCapability, WebCapability } from '../kernel/capabilities.ts';

/** Takes out what must not be seen. */
interface Mask {
  text(text: string): string;
  /** The same for a text that comes in pieces, in which a key may be split: what may be the beginning of one is held back. */
  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void };
  /** The same for each text of a value. */
  value<Value>(value: Value): Value;
}

/** A beginning of a key that is left at the end of a text is taken out when it is so much of it. */
const tellingShare = 0.5;

/** @param keys those that are known now */
function createMask(keys: readonly string[]): Mask {
  const forms = secretForms(keys);
  const whole = (text: string): string => forms.reduce((rest, form) => rest.replaceAll(form, secretMark), text);
  const beginningIn = (text: string): { readonly length: number; readonly isTelling: boolean } => {
    const found = forms.map((form) => ({ form, length: overlap(text, form) })).sort((a, b) => b.length - a.length)[0];
    if (found === undefined) return { length: 0, isTelling: false };
    return { length: found.length, isTelling: found.length >= found.form.length * tellingShare };
  };
  const mask: Mask = {
    text(text) {
      const clean = whole(text);
      const { length, isTelling } = beginningIn(clean);
      return isTelling ? clean.slice(0, clean.length - length) + secretMark : clean;
    },
    stream(emit) {
      let held = '';
      return {
        push(piece) {
          const clean = whole(held + piece);
          const open = clean.length - beginningIn(clean).length;
          held = clean.slice(open);
          if (open > 0) emit(clean.slice(0, open));
        },
        end() {
          const rest = mask.text(held);
          held = '';
          if (rest !== '') emit(rest);
        },
      };
    },
    value: (value) => (forms.length === 0 ? value : maskTexts(value, mask.text)),
  };
  return mask;
}

/** How many characters at the end of the text are the beginning of the form, but not all of it. */
function overlap(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}

function maskTexts<Value>(value: Value, text: Mask['text']): Value {
  if (typeof value === 'string') return text(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, text)) as Value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), maskTexts(item, text)])) as Value;
}

function maskError(thrown: unknown, mask: Mask): unknown {
  if (!EngineError.is(thrown)) return thrown;
  const { code, recoverable, nodeId, line, stage, cause } = thrown;
  const message = mask.text(thrown.message);
  const details = mask.value(thrown.details);
  const isClean = message === thrown.message && JSON.stringify(details) === JSON.stringify(thrown.details);
  if (isClean) return thrown;
  return new EngineError({
    ...{ code, message, recoverable, details, cause },
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(line === undefined ? {} : { line }),
    ...(stage === undefined ? {} : { stage }),
  });
}

/**
 * Models whose answers hold no key, whole or in pieces, and whose errors hold none either.
 * @param keys all that are known; asked for each request
 */
export function withMaskedAnswers(model: ModelCapability, keys: () => readonly string[]): ModelCapability {
  return {
    ...model,
    async ask(request, options) {
      const mask = createMask(keys());
      const { onReasoning } = options;
      const text = mask.stream(options.onText);
      const reasoning = onReasoning === undefined ? undefined : mask.stream(onReasoning);
      const pieces = {
        onText(piece: string) {
          reasoning?.end();
          text.push(piece);
        },
        ...(reasoning === undefined ? {} : { onReasoning: reasoning.push }),
      };
      try {
        return mask.value(await model.ask(request, { ...options, ...pieces }));
      } catch (error) {
        throw maskError(error, mask);
      } finally {
        reasoning?.end();
        text.end();
      }
    },
  };
}

/** As `withMaskedAnswers`, for web servers. */
export function withMaskedResponses(web: WebCapability, keys: () => readonly string[]): WebCapability {
  return {
    async send(request, signal) {
      const mask = createMask(keys());
      try {
        return mask.value(await web.send(request, signal));
      } catch (error) {
        throw maskError(error, mask);
      }
    },
  };
}
