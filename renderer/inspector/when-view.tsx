import './when-view.css';
import type { WhenLine } from './when-lines.ts';

/** A condition, one comparison a line; with a run also what each one saw and gave. */
export function WhenView({ label, lines }: { label: string; lines: readonly WhenLine[] }) {
  return (
    <ul className="when-view" aria-label={label}>
      {lines.map(({ depth, variable, word, value, actual, result }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one condition never move
        <li key={index} style={{ '--when-depth': depth }}>
          <div className="when-line">
            <span>
              {variable === null ? null : <span className="when-variable">{variable} </span>}
              {value === undefined ? <span className="when-word">{word}</span> : `${word} `}
              {value === undefined ? null : <span className="when-value">{value}</span>}
            </span>
            {result === undefined ? null : (
              <span className="when-result" data-result={result}>
                {String(result)}
              </span>
            )}
          </div>
          {actual === undefined ? null : (
            <div className="when-line when-actual">
              <span>it was</span>
              <span className={actual === 'missing' ? 'when-word' : 'when-value'}>{actual}</span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
