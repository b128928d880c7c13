/** Where a flow runs to. */
export type FlowDirection = 'right' | 'down';
