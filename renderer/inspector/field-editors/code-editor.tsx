import { Maximize2 } from 'lucide-react';
import { use, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CodeFieldContext, type CodeFieldProps } from '../../ui/code-field.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import { ChangedElsewhere, useDraftText } from '../fields/use-draft-text.tsx';
import './code-editor.css';
import type { FieldEditorProps } from './field-editor-props.ts';
import { text } from './text.ts';
import { asText, TextEditor } from './text-editor.tsx';

/** Code in a language, in the full text editor, which can be enlarged. Falls back to a plain text field. */
export function CodeEditor(props: FieldEditorProps) {
  const Field = use(CodeFieldContext);
  return Field === null ? <TextEditor {...props} /> : <CodeText {...props} Field={Field} />;
}

function CodeText({
  field,
  value,
  onChange,
  control,
  Field,
}: FieldEditorProps & { readonly Field: NonNullable<React.ContextType<typeof CodeFieldContext>> }) {
  const { isDisabled, code } = useFormScope();
  const [isLarge, setIsLarge] = useState(false);
  const draft = useDraftText(value === undefined ? '' : asText(value), (typed, mergeKey) => onChange(typed, mergeKey));
  const parts: CodeFieldProps = {
    language: field.kind === 'lua' ? 'lua' : 'javascript',
    text: draft.text,
    label: field.label,
    isReadOnly: isDisabled,
    marks: code.marks,
    inputNames: code.inputNames,
    onType: (typed) => draft.onType(typed),
    onLeave: draft.onLeave,
    onUndo: () => {
      draft.onLeave();
      code.undo();
    },
    onRedo: () => {
      draft.onLeave();
      code.redo();
    },
  };
  return (
    <div className="code-editor" id={control.id}>
      <IconButton className="code-editor-large" label={text.value.openCode} onClick={() => setIsLarge(true)}>
        <Maximize2 aria-hidden size={12} />
      </IconButton>
      {isLarge ? null : <Field {...parts} />}
      <ChangedElsewhere draft={draft} />
      <Dialog
        isOpen={isLarge}
        onClose={() => setIsLarge(false)}
        title={field.label}
        description={field.description}
        size="wide"
      >
        <div className="code-editor-dialog">
          <Field {...parts} isLarge />
        </div>
      </Dialog>
    </div>
  );
}
