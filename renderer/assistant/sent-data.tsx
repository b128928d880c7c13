/**
 * Shows exactly what a request sends, and asks before the first one is sent.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import type { SentContext } from '../stores/assistant/talk.ts';
import { Button } from '../ui/button.tsx';
import { text } from './text.ts';

const words = text.sent;

interface SentDataProps {
  readonly sent: SentContext;
  readonly setUp: ReactNode;
  /** Sends the message that waits for this. Null if none does. */
  readonly onSend: (() => void) | null;
  readonly onHide: () => void;
}

/** The names of the pieces of data, in the language of the window. */
function pieceNames(data: string): string {
  const known: Readonly<Record<string, string>> = words.names;
  const names = [...data.matchAll(/^<data name="([^"\n]*)">$/gm)].map(([, name = '']) => known[name] ?? name);
  return names.join(', ');
}

/** What was sent with a message of the conversation. */
export function SentPieces({ sent: { model, data } }: { readonly sent: SentContext }) {
  return (
    <details className="assistant-pieces">
      <summary>{model === null ? words.title : words.sentTo({ model })}</summary>
      <p>{words.pieces({ names: pieceNames(data) })}</p>
      <pre data-selectable>{data}</pre>
    </details>
  );
}

export function SentData({ sent: { model, problem, instructions, data }, setUp, onSend, onHide }: SentDataProps) {
  const send = useRef<HTMLButtonElement>(null);
  useEffect(() => send.current?.focus(), []);
  return (
    <section className="assistant-sent" aria-label={words.title}>
      <h3>{words.title}</h3>
      {model === null ? (
        <>
          <p className="assistant-problem">{problem?.message ?? words.noModel}</p>
          {setUp}
        </>
      ) : (
        <p>{words.to({ model })}</p>
      )}
      <p className="assistant-pieces">{words.pieces({ names: pieceNames(data) })}</p>
      <details>
        <summary>{words.data}</summary>
        <pre data-selectable>{data}</pre>
      </details>
      <details>
        <summary>{words.instructions}</summary>
        <pre data-selectable>{instructions}</pre>
      </details>
      {onSend === null || model === null ? null : (
        <>
          <p>{words.first}</p>
          <div className="assistant-decision">
            <Button ref={send} variant="primary" onClick={onSend}>
              {text.send}
            </Button>
            <Button onClick={onHide}>{text.cancel}</Button>
          </div>
        </>
      )}
    </section>
  );
}
