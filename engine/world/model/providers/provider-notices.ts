/**
 * Notices for the log of a run about unusual responses and requests of a provider.
 */
import type { StreamNotes } from './chat-stream.ts';

/** Returns sentences about the stream of a response. */
export function noticesOf({ lost, isWithoutReason }: StreamNotes, provider: string): readonly string[] {
  const parts = lost === 1 ? '1 part of the answer' : `${lost.toLocaleString('en')} parts of the answer`;
  return [
    ...(lost === 0 ? [] : [`Provider "${provider}" sent ${parts} in a form that cannot be read. The answer lacks it.`]),
    ...(isWithoutReason
      ? [`Provider "${provider}" did not report why its answer ended (no finish_reason). The answer may be incomplete.`]
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
          `Provider "${provider}" does not accept ${learned.join(', ')}, so the request was sent without. Later requests leave it out until Millrace is restarted; to leave it out always, set ${setting}.`,
        ]),
    ...(wished.length === 0
      ? []
      : [`Provider "${provider}" does not accept ${wished.join(', ')}, so the request was sent without.`]),
  ];
}
