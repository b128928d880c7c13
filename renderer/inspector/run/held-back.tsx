/**
 * Shows what an autonomy level paused: the node itself, or tool calls of its model.
 */
import type { SuggestedAction } from '../../../engine/isomorphic.ts';
import { useReadValue } from '../../stores/stores-context.tsx';
import { ValueView } from '../../ui/value-view.tsx';
import { Group } from '../fields/setting-rows.tsx';
import type { NodeFacts } from './node-facts.ts';

/** Renders nothing if nothing was paused. */
export function HeldBack({ facts: { nodeState } }: { readonly facts: NodeFacts }) {
  const suggestions = nodeState?.suggestions ?? [];
  if (suggestions.length === 0) return null;
  return (
    <section className="inspector-held" aria-label="What was held back">
      <p className="inspector-note">
        {nodeState?.skip === undefined
          ? 'The level of autonomy let its model call none of these. They are suggestions:'
          : 'Held back: at this level of autonomy it only suggests what it would do.'}
      </p>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: suggestions of one run only grow
        <Suggested key={index} suggestion={suggestion} />
      ))}
    </section>
  );
}

function Suggested({ suggestion: { tool, params } }: { readonly suggestion: SuggestedAction }) {
  const readLarge = useReadValue();
  return (
    <Group title={tool === undefined ? 'It would have run with' : `Would have called ${tool}`}>
      <ValueView label="Params" value={params} readLarge={readLarge} />
    </Group>
  );
}
