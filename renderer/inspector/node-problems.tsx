import { CircleX, TriangleAlert } from 'lucide-react';
import type { Diagnostic } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Group } from './setting-rows.tsx';

/** Problems that belong to no field, each with the way to its line. */
export function NodeProblems({ path, problems }: { path: string; problems: readonly Diagnostic[] }) {
  const { selection } = useStores();
  if (problems.length === 0) return null;
  return (
    <Group title="Problems" note={String(problems.length)}>
      {problems.map(({ code, message, range: { line, column }, severity }) => (
        <p key={`${code} ${line}:${column} ${message}`} className="node-problem" data-selectable>
          {severity === 'error' ? (
            <CircleX role="img" aria-label="error" className="node-error" size={14} />
          ) : (
            <TriangleAlert role="img" aria-label={severity} size={14} />
          )}
          <span>
            {message}{' '}
            <button
              type="button"
              className="inspector-line-link"
              aria-label={`Go to line ${line}`}
              onClick={() => selection.getState().revealText(path, { line, column })}
            >
              Line {line}
            </button>
          </span>
        </p>
      ))}
    </Group>
  );
}
