import { JsonView as TreeView } from 'react-json-view-lite';
import './json-view.css';

const styles = {
  container: 'json-view',
  basicChildStyle: 'json-row',
  childFieldsContainer: 'json-children',
  label: 'json-label',
  clickableLabel: 'json-label json-clickable',
  nullValue: 'json-number',
  undefinedValue: 'json-number',
  numberValue: 'json-number',
  booleanValue: 'json-number',
  stringValue: 'json-string',
  otherValue: 'json-string',
  punctuation: 'json-punctuation',
  expandIcon: 'json-expander json-expander-closed',
  collapseIcon: 'json-expander',
  collapsedContent: 'json-collapsed',
  ariaLables: { collapseJson: 'Collapse', expandJson: 'Expand' },
  stringifyStringValues: true,
};

/** Levels and entries that are open at first: a big value must not draw thousands of rows unasked. */
function isOpenAtFirst(level: number, value: unknown): boolean {
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  return level < 2 && size <= 50;
}

export interface JsonViewProps {
  readonly label: string;
  /** A list or a map. */
  readonly value: object;
}

/** A JSON value as a tree; arrow keys move in it. */
export function JsonView({ label, value }: JsonViewProps) {
  return (
    <TreeView
      aria-label={label}
      data={value}
      style={styles}
      shouldExpandNode={isOpenAtFirst}
      clickToExpandNode
      compactTopLevel={false}
    />
  );
}
