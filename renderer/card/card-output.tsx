/**
 * The line at the foot of a card that says what its node gave last.
 */
import { useEffect, useMemo, useState } from 'react';
import { isValueHandle, type JsonValue } from '../../engine/isomorphic.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { type OutputLine, outputLine } from './output-line.ts';
import './card-output.css';

/** A larger value is not fetched only to show a picture of the size of a letter. */
const mostPictureBytes = 4_000_000;

/** A large value that has a picture in it; null for all others. */
function pictureHash(output: JsonValue | undefined): string | null {
  if (!isValueHandle(output)) return null;
  return output.bytes <= mostPictureBytes && output.preview.includes('data:image/') ? output.$value : null;
}

/** What the card says of an output; null = nothing. A picture that is kept elsewhere comes a moment later. */
export function useOutputLine(output: JsonValue | undefined): OutputLine | null {
  const readValue = useReadValue();
  const hash = pictureHash(output);
  const [read, setRead] = useState<{ readonly hash: string; readonly value: JsonValue } | null>(null);
  useEffect(() => {
    if (hash === null) return;
    let isMeant = true;
    readValue(hash).then(
      (value) => isMeant && setRead({ hash, value: value as JsonValue }),
      // The line says how large it is; who opens it in the inspector is told why it cannot be read.
      () => undefined,
    );
    return () => {
      isMeant = false;
    };
  }, [hash, readValue]);
  const line = useMemo(
    () => (output === undefined ? null : outputLine(read !== null && read.hash === hash ? read.value : output)),
    [output, read, hash],
  );
  const address = usePictureFile(line);
  return useMemo(() => (line === null || address === null ? line : { ...line, picture: address }), [line, address]);
}

/** The picture that the line names, as an address, a moment later; null when it has none, or one that cannot be shown. */
function usePictureFile(line: OutputLine | null): string | null {
  const { engine } = useStores();
  const [read, setRead] = useState<{ readonly line: OutputLine; readonly address: string } | null>(null);
  const path = line?.pictureFile ?? null;
  useEffect(() => {
    if (line === null || path === null) return;
    let isMeant = true;
    engine.call('readPicture', path).then(
      ({ address }) => isMeant && setRead({ line, address }),
      // The line names the file; who opens it is told why it cannot be read.
      () => undefined,
    );
    return () => {
      isMeant = false;
    };
  }, [engine, line, path]);
  return read !== null && read.line === line ? read.address : null;
}

export function CardOutput({ line: { text, picture } }: { line: OutputLine }) {
  return (
    <span className="card-output" title={text === '' ? undefined : text}>
      {picture === null ? null : <img src={picture} alt={text === '' ? 'The picture it gave' : ''} decoding="async" />}
      <span>{text}</span>
    </span>
  );
}
