/**
 * A file pattern that shows how many workspace files match it as it is typed.
 */
import { useEffect, useState } from 'react';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useDraftText } from '../fields/use-draft-text.tsx';
import { useTreeChanges } from '../fields/use-tree-changes.ts';
import { BindingText } from './binding-text.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';
import { text } from './text.ts';
import { asText } from './text-editor.tsx';

/** Milliseconds without typing before files are counted. */
const countPauseMs = 250;

export function GlobEditor({ field, value, onChange, control, isFocused }: FieldEditorProps) {
  const draft = useDraftText(value === undefined ? '' : asText(value), (typed, mergeKey) =>
    onChange(typed === '' && !field.isRequired ? undefined : typed, mergeKey),
  );
  return (
    <>
      <BindingText
        control={control}
        draft={draft}
        isLine
        rows={1}
        mayBind={field.mayBind}
        placeholder={text.glob.example}
        isFocused={isFocused === true}
      />
      <GlobMatches glob={draft.text} />
    </>
  );
}

/**
 * Renders nothing for an empty pattern and for one that is known only at run time. The last count is shown until the
 * next one.
 */
function GlobMatches({ glob }: { glob: string }) {
  const { engine } = useStores();
  const [found, setFound] = useState<string | null>(null);
  const isKnown = glob !== '' && !glob.includes('{{');
  const changes = useTreeChanges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: added or removed files are a reason to count again
  useEffect(() => {
    if (!isKnown) {
      setFound(null);
      return;
    }
    const end = new AbortController();
    const timer = setTimeout(() => {
      engine.call('countMatches', glob, end.signal).then(
        ({ count }) => setFound(text.glob.matches({ count })),
        (error: unknown) => {
          if (!end.signal.aborted) setFound(toErrorRecord(error).message);
        },
      );
    }, countPauseMs);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [engine, glob, isKnown, changes]);
  return found === null ? null : (
    <p className="form-last" aria-live="polite">
      {found}
    </p>
  );
}
