/**
 * Lists the actions that a finished run only suggested. Each entry links to its node.
 */
import { Lightbulb } from 'lucide-react';
import { useMemo } from 'react';
import {
  baseNodeId,
  isValueHandle,
  type JsonValue,
  type NodeSuggestion,
  suggestionsOf,
} from '../../engine/isomorphic.ts';
import { isOver, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { placeOfAct } from '../stores/runs/what-if.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useNodeNames } from '../stores/use-flow.ts';
import { text } from './text.ts';
import './run-banners.css';

/** Maximum number of rows to render. Further ones are only counted. */
const mostRows = 20;

export function SuggestionsPanel({ flow: { path }, run: { state } }: { flow: SettledFlow; run: LiveRun }) {
  const { selection } = useStores();
  const names = useNodeNames(path);
  const hasEnded = isOver(state);
  const suggestions = useMemo(() => (hasEnded ? suggestionsOf(state) : []), [hasEnded, state]);
  if (suggestions.length === 0) return null;
  const rest = suggestions.length - mostRows;
  return (
    <section className="waiting-panel suggested-panel" aria-label={text.suggestions.label}>
      <Lightbulb aria-hidden className="waiting-icon" size={14} />
      <div className="waiting-body">
        <p>{text.suggestions.title({ count: suggestions.length })}</p>
        <ul className="suggested-rows">
          {suggestions.slice(0, mostRows).map((suggestion, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a run that is over makes no more suggestions
            <li key={index} className="suggested-row" title={suggestionText(suggestion)} data-selectable>
              <button
                type="button"
                className="waiting-name"
                aria-description={text.suggestions.showNode}
                onClick={() => selection.getState().selectPlace(path, placeOfAct(suggestion))}
              >
                {names.get(baseNodeId(placeOfAct(suggestion))) ?? suggestion.nodeId}
              </button>
              {suggestionText(suggestion)}
            </li>
          ))}
        </ul>
        {rest > 0 ? <p>{text.suggestions.more({ count: rest })}</p> : null}
      </div>
    </section>
  );
}

function suggestionText({ tool, params }: NodeSuggestion): string {
  const given = isValueHandle(params) ? params.preview : paramsText(params);
  return tool === undefined ? given : `${tool} ${given}`;
}

function paramsText(params: JsonValue): string {
  if (typeof params !== 'object' || params === null) return shown(params);
  return Object.entries(params)
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ');
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
