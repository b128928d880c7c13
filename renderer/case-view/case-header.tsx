/**
 * The bar above the canvas while a test is open.
 */
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { CaseResult } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import { StateIcon } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import './case-header.css';

const words = text.header;

interface CaseHeaderProps {
  readonly result: CaseResult;
  /** Content at the start of the bar. */
  readonly lead: ReactNode;
  /** Opens a test file as text at a line. */
  readonly onText: (path: string, line: number) => void;
  /** The buttons at the right end. */
  readonly children: ReactNode;
}

export function CaseHeader({ result, lead, onText, children }: CaseHeaderProps) {
  const { cases } = useStores();
  const isRunning = useStore(cases, (state) => state.isRunning);
  const isRecording = useStore(cases, (state) => state.isRecording);
  const state = isRunning ? 'running' : result.isOk ? 'completed' : 'failed';
  const word = isRecording ? words.recording : isRunning ? words.running : result.isOk ? words.passed : words.failed;
  const { name, file, line } = result;
  return (
    <section className="case-header" aria-label={words.label} tabIndex={-1}>
      {lead}
      <span className="case-pill" data-state={state} role="status">
        <StateIcon state={state} size={13} isDecorative />
        {word}
      </span>
      <b className="case-name" title={name}>
        {name}
      </b>
      <button type="button" className="case-place" title={words.openPlace} onClick={() => onText(file, line)}>
        {words.place({ file, line })}
      </button>
      <span className="case-gap" />
      {children}
    </section>
  );
}
