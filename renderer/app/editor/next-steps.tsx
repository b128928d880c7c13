/**
 * What to do after the first example, shown below the flow in the inspector.
 */
import { BookOpen, MessageSquareText, Plus } from 'lucide-react';
import { useStore } from 'zustand';
import { Group } from '../../inspector/fields/setting-rows.tsx';
import { welcomeFlow } from '../../stores/first-look.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { CommandButton } from '../commands/command-context.tsx';
import { text } from './text.ts';
import './next-steps.css';

/** Only in a copy of the examples. */
export function NextSteps() {
  const { workspace } = useStores();
  const isExamples = useStore(workspace, ({ flows }) => flows.some(({ path }) => path === welcomeFlow));
  if (!isExamples) return null;
  return (
    <Group title={text.next.title}>
      <div className="next-steps">
        <CommandButton
          command="settings.models"
          text={text.next.model}
          variant="ghost"
          icon={<MessageSquareText aria-hidden size={14} />}
        />
        <CommandButton
          command="examples.gallery"
          text={text.next.examples}
          variant="ghost"
          icon={<BookOpen aria-hidden size={14} />}
        />
        <CommandButton command="file.new" text={text.next.flow} variant="ghost" icon={<Plus aria-hidden size={14} />} />
      </div>
    </Group>
  );
}
