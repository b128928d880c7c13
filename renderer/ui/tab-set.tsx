import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { passFocusOn } from './roving-focus.ts';
import './tab-set.css';

interface TabSpec<Value extends string> {
  readonly value: Value;
  readonly text: string;
  /** Number of items in the tab, shown in small text after the label. */
  readonly count?: number | undefined;
  /** `error` shows the count in the color of failures. */
  readonly tone?: 'error' | undefined;
  readonly content: ReactNode;
}

interface TabSetProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly tabs: readonly TabSpec<Value>[];
  readonly onChange: (value: Value) => void;
  /** Shown at the right end of the tab row. */
  readonly actions?: ReactNode;
  readonly className?: string;
}

/** A row of tabs over the content of the selected one. */
export function TabSet<Value extends string>(props: TabSetProps<Value>) {
  const { label, value, tabs, onChange, actions, className = '' } = props;
  return (
    <Tabs.Root
      className={`tab-set ${className}`}
      value={value}
      onValueChange={(next) => {
        const tab = tabs.find((candidate) => candidate.value === next);
        if (tab !== undefined) onChange(tab.value);
      }}
    >
      <div className="tab-set-row">
        <Tabs.List className="tab-set-list" aria-label={label} onFocus={passFocusOn}>
          {tabs.map((tab) => (
            <Tabs.Trigger key={tab.value} value={tab.value} className="tab-set-tab">
              {tab.text}
              {tab.count === undefined ? null : (
                <span className="tab-set-count" data-tone={tab.tone}>
                  {tab.count}
                </span>
              )}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {actions}
      </div>
      {tabs.map((tab) => (
        <TabContent key={tab.value} value={tab.value}>
          {tab.content}
        </TabContent>
      ))}
    </Tabs.Root>
  );
}

const focusable = 'a[href],button:not(:disabled),input,select,textarea,[tabindex="0"]';

/** The content of a tab. If it is only text that scrolls, the keyboard can reach it. */
function TabContent({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  const [isStop, setIsStop] = useState(false);
  // Not limited to changes of the content: whether it scrolls depends on the size of the panel, too.
  useEffect(() => {
    const element = panel.current;
    if (element === null) return;
    setIsStop(element.scrollHeight > element.clientHeight && element.querySelector(focusable) === null);
  });
  return (
    <Tabs.Content ref={panel} value={value} className="tab-set-content" tabIndex={isStop ? 0 : -1}>
      {children}
    </Tabs.Content>
  );
}
