/**
 * Notices for a run's log about a provider's unusual responses and requests.
 */
import type { StreamNotes } from './chat-stream.ts';

/** Returns sentences about a response's stream. */
export function noticesOf({ lost, isWithoutReason }: StreamNotes, provider: string): readonly string[] {
  const parts = lost === 1 ? '1 part of the response' : `${lost.toLocaleString('en')} parts of the response`;
  return [
    ...(lost === 0
      ? []
      : [`Provider "${provider}" sent ${parts} in a form that cannot be read. The response is incomplete without it.`]),
    ...(isWithoutReason
      ? [
          `Provider "${provider}" did not report why its response ended (no finish_reason). The response may be incomplete.`,
        ]
      : []),
  ];
}

interface Omissions {
  /** Fields rejected by this request. */
  readonly learned: readonly string[];
  /** Fields that were rejected earlier and that the flow set again. */
  readonly wished: readonly string[];
}

/** Returns sentences about fields omitted from the request. */
export function omissionNotices(provider: string, { learned, wished }: Omissions): readonly string[] {
  const setting = `omit_fields = [${learned.map((field) => JSON.stringify(field)).join(', ')}] in [providers.${provider}]`;
  return [
    ...(learned.length === 0
      ? []
      : [
          `Provider "${provider}" does not accept ${learned.join(', ')}, so the request was sent without ${pronounOf(learned)}. Later requests omit ${pronounOf(learned)} until Millrace restarts. To always omit ${pronounOf(learned)}, set ${setting}.`,
        ]),
    ...(wished.length === 0
      ? []
      : [
          `Provider "${provider}" does not accept ${wished.join(', ')}, so the request was sent without ${pronounOf(wished)}.`,
        ]),
  ];
}

function pronounOf(fields: readonly string[]): string {
  return fields.length === 1 ? 'it' : 'them';
}
