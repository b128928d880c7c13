import { durationText } from '../ui/quantity-text.ts';
import { stateWords } from '../ui/state-icon.tsx';
import { isLargeValue } from '../ui/value-parts.ts';
import type { NodeFacts } from './node-facts.ts';
import { Section } from './setting-rows.tsx';

/** About as much as six lines hold. */
const previewLength = 400;

/** The beginning of an output: its text where it has one, else JSON. */
function previewOf(output: unknown): string {
  if (isLargeValue(output)) return output.preview;
  const text = typeof output === 'object' && output !== null ? (output as { text?: unknown }).text : output;
  const shown = isLargeValue(text) ? text.preview : typeof text === 'string' ? text : JSON.stringify(output, null, 1);
  return shown.length > previewLength ? `${shown.slice(0, previewLength)}…` : shown;
}

/** What the node gave in the run that is shown; nothing without one. */
export function LastRun({ facts: { nodeState, state } }: { facts: NodeFacts }) {
  if (nodeState === undefined) return null;
  const { durationMs, output, error } = nodeState;
  const note = [stateWords[state], ...(durationMs === undefined ? [] : [durationText(durationMs)])].join(', ');
  const preview = output === undefined ? error?.message : previewOf(output);
  return (
    <Section title="Last run" note={note}>
      {preview === undefined || preview === '' ? (
        <p className="inspector-quiet">No output.</p>
      ) : (
        <div className="inspector-last" data-selectable>
          {preview}
        </div>
      )}
    </Section>
  );
}
