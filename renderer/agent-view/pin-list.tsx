/**
 * What an agent wants to be seen, before everything else.
 */
import { Pin as PinIcon } from 'lucide-react';
import type { Pin, RunState } from '../../engine/isomorphic.ts';
import { nameOfInput } from '../stores/agents/agent-runs.ts';
import './pin-list.css';

function PinRow({ pin, state }: { pin: Pin; state: RunState }) {
  const input = pin.taskId === undefined ? undefined : state.nodes.get(pin.taskId);
  return (
    <li className="pin">
      <PinIcon aria-hidden className="pin-icon" size={13} />
      {pin.label === undefined ? null : <b className="pin-label">{pin.label}</b>}
      <div className="pin-content" data-selectable>
        {pin.content}
      </div>
      {input === undefined ? null : <span className="pin-input">{nameOfInput(input)}</span>}
    </li>
  );
}

/** The pins of a run and of its inputs, in their order; nothing while there are none. */
export function PinList({ state }: { state: RunState }) {
  if (state.pins.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many pins scroll, also by keyboard
    <section className="pins" aria-label="Pins of the run" tabIndex={0}>
      <ul aria-label="Pins">
        {state.pins.map((pin) => (
          <PinRow key={`${pin.taskId ?? ''} ${pin.iden}`} pin={pin} state={state} />
        ))}
      </ul>
    </section>
  );
}
