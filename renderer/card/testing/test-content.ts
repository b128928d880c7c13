/**
 * For tests: a card with minimal content.
 */
import type { CardContent } from '../card-content.ts';

export function contentOf(nodeId: string, differences: Partial<CardContent> = {}): CardContent {
  return {
    nodeId,
    title: nodeId,
    type: 'echo',
    category: 'text',
    icon: 'quote',
    sentence: [],
    sentenceLines: 0,
    rows: [],
    branches: [],
    leavesByRows: false,
    footer: null,
    isStart: false,
    isDisabled: false,
    error: null,
    warning: null,
    isTolerated: false,
    bodySize: null,
    restWords: 'echo',
    mayWait: false,
    canStream: false,
    ...differences,
  };
}
