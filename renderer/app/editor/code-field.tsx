/**
 * The editor for code in forms: Monaco with Lua support, loaded when code is first shown.
 */
import { lazy, Suspense } from 'react';
import type { CodeFieldProps } from '../../ui/code-field.ts';
import './code-field.css';

const Loaded = lazy(async () => {
  const [{ MonacoCode }, { completeScript }] = await Promise.all([
    import('../../text-view/monaco-code.tsx'),
    import('../../agent-editor/language/complete-lua.ts'),
  ]);
  return { default: (props: CodeFieldProps) => <MonacoCode {...props} completeLua={completeScript} /> };
});

export function CodeField(props: CodeFieldProps) {
  return (
    <Suspense fallback={<pre className="field-code-waiting">{props.text}</pre>}>
      <Loaded {...props} />
    </Suspense>
  );
}
