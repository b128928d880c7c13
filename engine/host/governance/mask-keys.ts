/**
 * Masks model keys in all data that flows and agents receive, and therefore in events, logs and the history. A server
 * may quote the key that it received, even in a successful response.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { CommandStream, CommandsCapability } from '../../runtime/kernel/capabilities/command-capability.ts';
import type { WebCapability } from '../../runtime/kernel/capabilities/web-capability.ts';
import type { ModelCapability } from '../../runtime/kernel/models/model-capability.ts';
import { secretMark, shortestKey } from '../../world/secrets/redactor.ts';
import { createMask, type SecretMask } from '../../world/secrets/secret-mask.ts';

/**
 * @param keys the currently known keys; shorter ones are placeholders such as `ollama` for providers that need no key
 */
function maskOf(keys: readonly string[]): SecretMask {
  return createMask(keys.filter(({ length }) => length >= shortestKey).map((value) => ({ value, mark: secretMark })));
}

function maskError(thrown: unknown, mask: SecretMask): unknown {
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
 * Wraps models so that responses and errors contain no keys, even if a key is split between chunks.
 * @param keys returns all known keys; called for each request
 */
export function withMaskedAnswers(model: ModelCapability, keys: () => readonly string[]): ModelCapability {
  return {
    ...model,
    async ask(request, options) {
      const mask = maskOf(keys());
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

/** Wraps a web client so that responses and errors contain no key. @param keys as for `withMaskedAnswers` */
export function withMaskedResponses(web: WebCapability, keys: () => readonly string[]): WebCapability {
  return {
    async send(request, signal) {
      const mask = maskOf(keys());
      try {
        return mask.value(await web.send(request, signal));
      } catch (error) {
        throw maskError(error, mask);
      }
    },
  };
}

/**
 * Wraps commands so that their outputs contain no keys. Commands can read the environment and may print it. @param keys
 * as for `withMaskedAnswers`
 */
export function withMaskedOutputs(commands: CommandsCapability, keys: () => readonly string[]): CommandsCapability {
  return {
    async run(request, signal) {
      const mask = maskOf(keys());
      const stdout = mask.stream((text) => request.onOutput?.('stdout', text));
      const stderr = mask.stream((text) => request.onOutput?.('stderr', text));
      const onOutput = (stream: CommandStream, text: string): void =>
        (stream === 'stdout' ? stdout : stderr).push(text);
      try {
        return mask.value(await commands.run({ ...request, onOutput }, signal));
      } catch (error) {
        throw maskError(error, mask);
      } finally {
        stdout.end();
        stderr.end();
      }
    },
  };
}
