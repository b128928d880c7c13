/**
 * The line at the bottom of a card that shows the latest output of its node.
 */
import { useEffect, useMemo, useState } from 'react';
import { isValueHandle, type JsonValue } from '../../engine/isomorphic.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { MarkedText } from './marked-text.tsx';
import { type OutputLine, outputLine } from './output-line.ts';
import { text } from './text.ts';
import './card-output.css';

/** A larger value is not fetched for a small thumbnail. */
const mostPictureBytes = 4_000_000;

/** Returns the hash of a large value that contains a picture, or null. */
function pictureHash(output: JsonValue | undefined): string | null {
  if (!isValueHandle(output)) return null;
  return output.bytes <= mostPictureBytes && output.preview.includes('data:image/') ? output.$value : null;
}

/** Returns the output line of a card, or null. A picture that is stored separately is added a moment later. */
export function useOutputLine(output: JsonValue | undefined): OutputLine | null {
  const readValue = useReadValue();
  const hash = pictureHash(output);
  const [read, setRead] = useState<{ readonly hash: string; readonly value: JsonValue } | null>(null);
  useEffect(() => {
    if (hash === null) return;
    let isMeant = true;
    readValue(hash).then(
      (value) => isMeant && setRead({ hash, value: value as JsonValue }),
      // The line shows its size. The inspector shows why it cannot be read.
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

/** Returns the picture that the line names as a URL, a moment later. Null if there is none or it cannot be shown. */
function usePictureFile(line: OutputLine | null): string | null {
  const { engine } = useStores();
  const [read, setRead] = useState<{ readonly line: OutputLine; readonly address: string } | null>(null);
  const path = line?.pictureFile ?? null;
  useEffect(() => {
    if (line === null || path === null) return;
    let isMeant = true;
    engine.call('readPicture', path).then(
      ({ address }) => isMeant && setRead({ line, address }),
      // The line names the file. Opening it shows why it cannot be read.
      () => undefined,
    );
    return () => {
      isMeant = false;
    };
  }, [engine, line, path]);
  return read !== null && read.line === line ? read.address : null;
}

export function CardOutput({ line }: { line: OutputLine }) {
  const { picture } = line;
  const isAlone = line.text === '';
  return (
    <span className="card-output" title={isAlone ? undefined : line.text}>
      {picture === null ? null : <img src={picture} alt={isAlone ? text.output.image : ''} decoding="async" />}
      <span>
        <MarkedText text={line.text} />
      </span>
    </span>
  );
}
