/**
 * Shows what the autonomy level held back: the node itself, or tool calls of its model.
 */
import type { SuggestedAction } from '../../../engine/isomorphic.ts';
import { useReadValue } from '../../stores/stores-context.tsx';
import { Group } from '../fields/setting-rows.tsx';
import { ValueView } from '../values/value-view.tsx';
import type { NodeFacts } from './node-facts.ts';
import { text } from './text.ts';

/** Renders nothing if nothing was held back. */
export function HeldBack({ facts: { nodeState } }: { readonly facts: NodeFacts }) {
  const suggestions = nodeState?.suggestions ?? [];
  if (suggestions.length === 0) return null;
  return (
    <section className="inspector-held" aria-label={text.suggestions.label}>
      <p className="inspector-note">
        {nodeState?.skip === undefined ? text.suggestions.ofModel : text.suggestions.ofNode}
      </p>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the suggestions of a run only grow
        <Suggested key={index} suggestion={suggestion} />
      ))}
    </section>
  );
}

function Suggested({ suggestion: { tool, params } }: { readonly suggestion: SuggestedAction }) {
  const readLarge = useReadValue();
  return (
    <Group title={tool === undefined ? text.suggestions.wouldHaveRun : text.suggestions.wouldHaveCalled({ tool })}>
      <ValueView label={text.suggestions.params} value={params} readLarge={readLarge} />
    </Group>
  );
}
