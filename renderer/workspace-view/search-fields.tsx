/**
 * The search query, its options, and the files to search.
 */
import { CaseSensitive, Ellipsis, Regex, WholeWord } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { SearchQuery } from '../stores/workspace/text-search.ts';
import { IconButton } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { text } from './text.ts';

type Option = 'isCaseSensitive' | 'isWholeWord' | 'isRegExp';

const options: readonly { readonly name: Option; readonly label: string; readonly icon: ReactNode }[] = [
  { name: 'isCaseSensitive', label: text.search.matchCase, icon: <CaseSensitive aria-hidden size={16} /> },
  { name: 'isWholeWord', label: text.search.wholeWords, icon: <WholeWord aria-hidden size={16} /> },
  { name: 'isRegExp', label: text.search.regExp, icon: <Regex aria-hidden size={14} /> },
];

const exampleGlobs = { include: 'notes, *.flow.yaml', exclude: 'out/**' } as const;

function Globs({ query }: { query: SearchQuery }) {
  const { ask } = useStores().textSearch.getState();
  return (
    <>
      <Field label={text.search.include}>
        {(control) => (
          <TextInput
            {...control}
            value={query.include}
            maxLength={1000}
            placeholder={exampleGlobs.include}
            onChange={({ target }) => ask({ include: target.value })}
          />
        )}
      </Field>
      <Field label={text.search.exclude}>
        {(control) => (
          <TextInput
            {...control}
            value={query.exclude}
            maxLength={1000}
            placeholder={exampleGlobs.exclude}
            onChange={({ target }) => ask({ exclude: target.value })}
          />
        )}
      </Field>
    </>
  );
}

interface SearchFieldsProps {
  /** Moves the focus to the results. */
  readonly onLeave: () => void;
}

export function SearchFields({ onLeave }: SearchFieldsProps) {
  const { textSearch } = useStores();
  const query = useStore(textSearch, (state) => state.query);
  const error = useStore(textSearch, (state) => state.error);
  const [wantsGlobs, setWantsGlobs] = useState(query.include !== '' || query.exclude !== '');
  const errorId = useId();
  const { ask, searchNow } = textSearch.getState();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') void searchNow();
    else if (event.key === 'ArrowDown') onLeave();
    else if (event.key === 'Escape' && query.text !== '') ask({ text: '' });
    else return;
    event.preventDefault();
  };
  return (
    <search className="search-fields" aria-label={text.search.label}>
      <div className="search-box">
        <input
          className="field-input search-input"
          aria-label={text.search.label}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : errorId}
          placeholder={text.search.placeholder}
          spellCheck={false}
          autoComplete="off"
          maxLength={1000}
          value={query.text}
          onChange={({ target }) => ask({ text: target.value })}
          onKeyDown={onKeyDown}
        />
        <div className="search-options">
          {options.map(({ name, label, icon }) => (
            <IconButton
              key={name}
              label={label}
              aria-pressed={query[name]}
              onClick={() => ask({ [name]: !query[name] })}
            >
              {icon}
            </IconButton>
          ))}
        </div>
        <IconButton
          label={text.search.filter}
          className="search-more"
          aria-expanded={wantsGlobs}
          onClick={() => setWantsGlobs(!wantsGlobs)}
        >
          <Ellipsis aria-hidden size={14} />
        </IconButton>
      </div>
      {wantsGlobs ? <Globs query={query} /> : null}
      {error === null ? null : (
        <p id={errorId} role="alert" className="field-problem">
          {error}
        </p>
      )}
    </search>
  );
}
